"""The gap of two boxes: disjoint, kissing, overlapping."""
import touchstone as ts

box = ts.Shape({"box": [2, 2, 2]})
for height in (2.5, 2.0, 1.75):
    answer = ts.query(box, box, [0.5, 0, height])
    normal = " ".join(f"{x:g}" for x in answer.normal)
    print(f"{answer.status}: gap {answer.gap:g} m, normal {normal}")

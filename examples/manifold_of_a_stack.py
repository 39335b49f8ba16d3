"""Three boxes, each laid a little further out: which polygon do neighbours share?"""
import touchstone as ts

box = ts.Shape({"box": [2, 2, 1]})
for level in (1, 2):
    contact = ts.query(box, box, [0.5 * level, 0, level], [0.5 * (level - 1), 0, level - 1])
    corners = " ".join(f"({x:g}, {y:g})" for x, y, _ in contact.manifold)
    print(f"contact at height {contact.manifold[0, 2]:g} m: {corners}")

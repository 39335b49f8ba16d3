"""A thousand discs in a square: a tree of boxes names the few pairs worth a closer look."""
import touchstone as ts

disc = ts.Shape({"sphere": 0.5}, dimension=2)
tree = ts.BroadPhase(2)
places = []
for i in range(1000):
    places.append([100 * (0.7548776662466927 * i % 1), 100 * (0.5698402909980532 * i * i % 1)])
    tree.insert(*ts.bounding_box(disc, places[i]))
pairs = tree.pairs()
overlapping = sum(ts.gap(disc, disc, places[i], places[j]) < -1e-12 for i, j in pairs)
print(f"{len(pairs)} of 499500 pairs have boxes that meet; {overlapping} overlap")

// Colours of the scene. Those of the page are in style.css.

export const kKinds = [
  { name: "unused", label: "unused", colour: "#8b93a1" },
  { name: "unilateral", label: "U unilateral", colour: "#12a150" },
  { name: "inter_contact", label: "I inter-contact", colour: "#f08c00" },
  { name: "cross_contact", label: "X cross-contact", colour: "#d6409f" },
];
export const kGapColours = { overlap: "#e5484d", touching: "#12a150", apart: "#3b82f6" };

const kBodies = ["#5b84d6", "#4fa39a", "#d29a4a", "#c8705f", "#8a78cf", "#7aa65a", "#c0789f", "#5aa6c4"];

export const kThemes = {
  light: { background: "#f4f5f7", grid: "#8a94a6", gridOpacity: 0.34, edge: "#1d2430", edgeOpacity: 0.55, fixed: "#c3c8d1", endless: "#dde1e8", scripted: "#a9a2c4",
    accent: "#1f5fe0", box: "#7a8699", joint: "#b4237a", trail: "#3c4a63", impulse: "#d9480f", normal: "#334155", sky: "#ffffff",
    ground: "#b9c0cc", sun: 2.1, ambient: 1.5, bodies: kBodies },
  dark: { background: "#13151a", grid: "#7d8aa3", gridOpacity: 0.26, edge: "#e8ecf4", edgeOpacity: 0.4, fixed: "#4a505c", endless: "#2b303a", scripted: "#5d5680",
    accent: "#7fb0ff", box: "#8f9bb0", joint: "#f472b6", trail: "#b8c4dc", impulse: "#ff9a52", normal: "#cbd5e1", sky: "#dfe8ff",
    ground: "#4a5162", sun: 2.0, ambient: 1.35, bodies: kBodies },
};

// Below this gap [m] bodies count as touching; colours of larger ones fade in by its decades.
export const kTouching = 1e-9;
const kDecades = 6;

// red: overlapping, green: touching, blue: apart; the larger, the fuller.
export function gapColour(gap, colour) {
  if (!(Math.abs(gap) > kTouching)) return colour.set(kGapColours.touching);
  const share = Math.min(1, Math.log10(Math.abs(gap) / kTouching) / kDecades);
  return colour.set(gap < 0 ? kGapColours.overlap : kGapColours.apart).lerp(kWhite, 0.45 * (1 - share));
}
const kWhite = { r: 1, g: 1, b: 1 };

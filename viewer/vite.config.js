// One page with everything in it: scripts and styles are moved into index.html, which then works from anywhere,
// also from file:// and without a network.
import { defineConfig } from "vite";

// What the HTML parser would take for the end of the script.
const escaped = (code) => code.replace(/<\/(script)/gi, "<\\/$1");

const single = {
  name: "one-self-contained-page",
  enforce: "post",
  generateBundle(_options, bundle) {
    const page = Object.values(bundle).find((file) => file.fileName.endsWith(".html"));
    for (const file of Object.values(bundle)) {
      if (file === page) continue;
      const name = file.fileName.replace(/[.]/g, "\\.");
      const script = new RegExp(`<script[^>]*src="[^"]*${name}"[^>]*></script>`);
      const style = new RegExp(`<link[^>]*href="[^"]*${name}"[^>]*>`);
      if (file.type === "chunk") {
        // Behind the body, so that what it looks for is there.
        page.source = page.source.replace(script, "");
        page.source = page.source.replace("</body>", () => `<script type="module">${escaped(file.code)}</script></body>`);
      } else {
        page.source = page.source.replace(style, () => `<style>${file.source}</style>`);
      }
      delete bundle[file.fileName];
    }
  },
};

export default defineConfig({
  base: "./",
  plugins: [single],
  build: { target: "es2022", modulePreload: false, assetsInlineLimit: 1e8, cssCodeSplit: false, chunkSizeWarningLimit: 2000 },
});

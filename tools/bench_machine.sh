# Sourced by the tools that write benchmark documents: where and how it was measured, as a list in markdown.
# usage: machine_lines BUILD

version() { dpkg-query --show --showformat='${Version}' "$1" 2>/dev/null || echo unknown; }

machine_lines() {
  local compiler
  compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$1/CMakeCache.txt")
  echo "- date: $(date --utc +%Y-%m-%d)"
  echo "- machine: $(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -1), $(nproc) cores, with a load of $(cut -d' ' -f2 /proc/loadavg) when the run ended"
  echo "- compiler: $("$compiler" --version | head -1), \`-O3 -DNDEBUG -ffp-contract=off\`, no \`-march=native\`"
}

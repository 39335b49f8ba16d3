# Set-up that ./touchstone and ./test share; sourced by them with `root` set to the top of the repository.
# Says what it does on standard error: standard output belongs to the program.

say() { echo "touchstone: $*" >&2; }

# The packages of the given sections of tools/packages.txt.
packages_of() {
  local sections=" $* " section="" line
  while read -r line; do
    line=${line%%#*}
    line=${line//[[:space:]]/}
    case $line in
      '') ;;
      '['*']') section=${line:1:-1} ;;
      *) [[ $sections == *" $section "* ]] && echo "$line" ;;
    esac
  done < "$root/tools/packages.txt"
}

# Those of the given packages that are not installed, nor provided by another of them (nodejs from elsewhere brings npm).
missing_of() {
  local installed
  # dpkg-query says with its exit code that some are unknown, which is what we ask.
  installed=$( (dpkg-query -W -f '${Package} ${db:Status-Status} ${Provides}\n' "$@" 2> /dev/null || true) |
    sed -n 's/ installed\( \|$\)/ /p' | tr -s ', ' '\n')
  comm -23 <(printf '%s\n' "$@" | sort -u) <(sort -u <<< "$installed")
}

# Installs the missing packages of the given sections; without apt, the user must have installed the libraries.
install_packages() {
  command -v dpkg-query apt-get > /dev/null || return 0
  local wanted missing as_root=()
  mapfile -t wanted < <(packages_of "$@")
  mapfile -t missing < <(missing_of "${wanted[@]}")
  [ ${#missing[@]} -eq 0 ] && return 0
  say "installing Debian packages: ${missing[*]}"
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo > /dev/null; then
      say "this needs root; please run: apt-get install ${missing[*]}"
      return 2
    fi
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq >&2 || say "apt-get update failed; trying with the lists there are"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# Installs what the viewer's page is built with; without it all else works.
install_viewer_packages() {
  install_packages viewer || say "nodejs or npm cannot be installed: the viewer's page will not be built, all else works"
}

# Is build/ configured, and from here? A copied or moved clone must be configured anew.
is_configured() {
  [ -f "$root/build/Makefile" ] || [ -f "$root/build/build.ninja" ] || return 1
  grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$root/build/CMakeCache.txt" 2> /dev/null
}

# configure ARGUMENT...: makes the build system in build/, Release unless the user has chosen otherwise there.
configure() {
  local fresh=()
  is_configured || fresh=(--fresh -DCMAKE_BUILD_TYPE=Release)
  cmake -S "$root" -B "$root/build" "${fresh[@]}" "$@" > "$root/build/configure.log" 2>&1 && return 0
  cat "$root/build/configure.log" >&2
  say "cmake failed"
  return 2
}

# Holds the lock of build/ until the shell ends, so that two calls at once do not build over each other.
lock_build() {
  mkdir -p "$root/build"
  exec 9> "$root/build/.lock"
  flock 9
}

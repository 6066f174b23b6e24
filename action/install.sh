#!/usr/bin/env bash
# Puts venire into an environment of its own, outside the checkout, and names it in the step's outputs: python, program.
#
# Nothing of the checkout has a say: this runs in the action's own folder, so that no uv.toml, pyproject.toml, .python-version
# or module of a pull request is found, and every package is pinned by its hash.
# The environment is kept in the runner's tool cache, under a name that holds the hash of everything it is made from.
set -euo pipefail
: "${GITHUB_OUTPUT:?is set in every step of GitHub Actions}"

cd "$(dirname "${BASH_SOURCE[0]}")/.."
action=$PWD
export PYTHONSAFEPATH=1 PYTHONNOUSERSITE=1
unset PYTHONPATH PYTHONHOME PYTHONSTARTUP

die() {
  printf '::error title=venire::%s\n' "$1"
  exit 2
}

python=$(command -v python3) || die "python3 is missing on this runner; install Python 3.11 or newer"
"$python" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' </dev/null || die "python3 is older than 3.11 on this runner"
# The interpreter itself and not a launcher, which could choose another one in another folder.
python=$("$python" -I -c 'import sys; print(sys.executable)' </dev/null)

key=$("$python" -I action/key.py)
home="${RUNNER_TOOL_CACHE:-${RUNNER_TEMP:-/tmp}}/venire/$key"
if [ ! -e "$home/ready" ]; then
  part="$home.part.$$"
  trap 'rm -rf "$part"' EXIT
  mkdir -p "$(dirname "$home")"
  if command -v uv >/dev/null; then
    uv --no-config venv --quiet --no-project --python "$python" "$part"
    uv --no-config pip install --quiet --python "$part/bin/python" --require-hashes -r action/requirements.txt
    uv --no-config pip install --quiet --python "$part/bin/python" --no-deps --no-build-isolation "$action"
  else
    "$python" -I -m venv "$part"
    pip=("$part/bin/python" -I -m pip --quiet --disable-pip-version-check --no-input install)
    "${pip[@]}" --require-hashes -r action/requirements.txt
    "${pip[@]}" --no-deps --no-build-isolation "$action"
  fi
  "$part/bin/python" -I "$part/bin/venire" --version
  touch "$part/ready"
  # Another job may have been faster; its environment is made from the same files.
  [ -e "$home" ] || mv "$part" "$home"
fi

{
  printf 'python=%s\n' "$home/bin/python"
  printf 'program=%s\n' "$home/bin/venire"
} >>"$GITHUB_OUTPUT"

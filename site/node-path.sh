# Puts the Node of the checkout first, where it is installed: the site needs Node 22.18 or later.
cd .. && . ./bin/node-path.sh && cd site

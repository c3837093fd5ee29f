# Colours for the other scripts.
RED='\033[0;31m'
NC='\033[0m'
say_red() {
  printf "${RED}%s${NC}\n" "$1"
}

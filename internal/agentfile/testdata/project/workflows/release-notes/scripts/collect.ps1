git log --merges --format=%s "$(git describe --tags --abbrev=0)..HEAD"

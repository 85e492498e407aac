#!/bin/sh
# Runs figs-web doctor in a step of a GitHub workflow. action.yml sets the variables FIGS_…, the runner those of GITHUB_….
set -u

if ! command -v "$FIGS_PROGRAM" >/dev/null 2>&1; then
	echo "::error title=figs-web::figs-web is not installed. Add a step that installs it, or set the input program to its path."
	exit 1
fi

# The revision to compare with. Other events than these have none, and check all folders.
compare=yes
case $FIGS_EVENT in
pull_request | pull_request_target)
	# A branch may be older than the base branch: what it changed is counted from where it left.
	base=$(git merge-base "$FIGS_PULL_BASE" HEAD 2>/dev/null) || base=$FIGS_PULL_BASE
	;;
merge_group) base=$FIGS_QUEUE_BASE ;;
push) base=$FIGS_BEFORE ;;
*) base='' compare=no ;;
esac
if [ -n "$FIGS_BASE" ]; then
	base=$FIGS_BASE compare=yes
fi

sarif=$FIGS_SARIF
[ -n "$sarif" ] || sarif=$RUNNER_TEMP/figs-web.sarif

# A token of a pull request from a fork can read, and not upload.
upload=true
case $FIGS_EVENT in
pull_request)
	if [ "$FIGS_PULL_REPOSITORY" != "$FIGS_REPOSITORY" ]; then
		upload=false
		echo "::notice title=figs-web::This pull request comes from a fork, whose token can't upload SARIF. All findings are in the job summary."
	fi
	;;
esac
{
	echo "base=$base"
	echo "sarif=$sarif"
	echo "can-upload=$upload"
} >>"$GITHUB_OUTPUT"

doctor() {
	if [ "$compare" = no ]; then
		"$FIGS_PROGRAM" doctor "$@" -- "$FIGS_PATH"
	elif [ "$FIGS_CHANGED_ONLY" = true ]; then
		"$FIGS_PROGRAM" doctor "$@" --base="$base" --changed -- "$FIGS_PATH"
	else
		"$FIGS_PROGRAM" doctor "$@" --base="$base" -- "$FIGS_PATH"
	fi
}

doctor --format=sarif --fail-on=never --quiet >"$sarif" || exit
doctor --format=markdown --fail-on=never --quiet >>"$GITHUB_STEP_SUMMARY" || exit
doctor --format=github --fail-on="$FIGS_FAIL_ON" --quiet

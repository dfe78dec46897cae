# Bash completion of cmsim: commands, options, scenario files and the names that
# `cmsim list` and the scenario itself know.

_cmsim_names ()
{
  "${COMP_WORDS[0]}" list "$1" 2> /dev/null | awk '$1 ~ /^[a-z0-9]/ { print $1 }'
}

# The variants of the scenario on the command line: the keys directly below `compare:`.
_cmsim_variants ()
{
  local word
  for word in "${COMP_WORDS[@]:2}"; do
    if [[ $word == *.yaml && -r $word ]]; then
      awk '/^compare:/ { inside = 1; next } /^[^ #]/ { inside = 0 }
           inside && /^  [^ #]/ { sub (/:.*/, ""); gsub (/[ "]/, ""); print }' "$word"
    fi
  done
}

_cmsim ()
{
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local command=${COMP_WORDS[1]} words=''

  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W 'run matrix check trace explain list diff-profiles reference fsm layouts verdicts bench --help --version' -- "$current")
    return
  fi

  case $previous in
    --pcap)
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return ;;
    --pcap-format)
      mapfile -t COMPREPLY < <(compgen -W 'roce erf' -- "$current")
      return ;;
    -o | --output | --images)
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      return ;;
    --variant)
      mapfile -t COMPREPLY < <(compgen -W "$(_cmsim_variants)" -- "$current")
      return ;;
    --machine)
      mapfile -t COMPREPLY < <(compgen -W 'cm sidr lap' -- "$current")
      return ;;
    --fel)
      mapfile -t COMPREPLY < <(compgen -W "$(_cmsim_names events)" -- "$current")
      return ;;
    --rank)
      mapfile -t COMPREPLY < <(compgen -W "$(_cmsim_names metrics)" -- "$current")
      return ;;
    --profile)
      mapfile -t COMPREPLY < <(compgen -W "$(_cmsim_names profiles)" -- "$current")
      return ;;
    --set | --cell | --memory-limit | --replications | --replication | --seed | -j | --jobs | --connect | --ladders | \
      --conversation | --live | --response | --lifetime | --retries | --hz | --mra | --mra-after | --rounds | \
      --scale | --only)
      return ;;
  esac

  case $command in
    run | matrix)
      words='--set --replications --seed --variant --jobs --output --no-output --no-plots
             --quiet --fel --memory-limit --fingerprint --rank --help'
      [[ $command == run ]] || words+=' --cell' ;;
    trace) words='--set --seed --variant --replication --connect --pcap --pcap-format --ladder
                  --memory-limit --help' ;;
    list)
      mapfile -t COMPREPLY < <(compgen -W 'profiles policies ulps reactions losses arrivals retries
        metrics distributions events --help' -- "$current")
      return ;;
    fsm) words='--machine --markdown --dot --csv --help' ;;
    diff-profiles) words='--all --help' ;;
    check) words='--set --help' ;;
    explain) words='--json --csv --ladders --conversation --profile --live --response --lifetime
                    --retries --hz --mra --mra-after --help' ;;
    bench) words='--rounds --scale --only --large --help' ;;
    verdicts) words='--images --memory-limit --help' ;;
    reference | layouts) words='--help' ;;
    *) return ;;
  esac

  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  elif [[ $command == diff-profiles ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_cmsim_names profiles)" -- "$current")
  elif [[ $command == run || $command == matrix || $command == verdicts || $command == check || $command == trace ]]; then
    mapfile -t COMPREPLY < <(compgen -f -X '!*.yaml' -- "$current"; compgen -d -S / -- "$current")
    compopt -o nospace -o filenames 2> /dev/null
    # A file is complete; only a directory goes on.
    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} == */ ]] || compopt +o nospace 2> /dev/null
  elif [[ $command == explain ]]; then
    mapfile -t COMPREPLY < <(compgen -W timeouts -- "$current"; compgen -f -- "$current")
    compopt -o filenames 2> /dev/null
  fi
}

complete -F _cmsim cmsim

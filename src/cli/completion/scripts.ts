/** What a shell runs to complete a command line of `sidecar-sweeper`. Each asks the program itself. */
export const scripts = {
  // The words are read from the line, because bash splits them at `=` and `:` as well.
  bash: `_sidecar_sweeper() {
  local line directive current before
  local -a words found=()
  read -ra words <<< "\${COMP_LINE:0:COMP_POINT}"
  [[ "\${COMP_LINE:0:COMP_POINT}" == *' ' ]] && words+=('')
  current="\${words[-1]}"
  before="\${current%"\${current##*[:=]}"}"
  while IFS= read -r line; do
    if [[ $line == :* ]]; then directive=$line; else found+=("\${line%%$'\\t'*}"); fi
  done < <(sidecar-sweeper __complete "\${words[@]:1}" 2>/dev/null)
  COMPREPLY=()
  for line in "\${found[@]}"; do
    [[ $line == "$current"* ]] && COMPREPLY+=("\${line#"$before"}")
  done
  if [[ $directive == :0 ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "\${current##*=}")
  fi
}
complete -F _sidecar_sweeper sidecar-sweeper
`,
  zsh: `#compdef sidecar-sweeper
_sidecar_sweeper() {
  local line directive
  local -a found
  for line in "\${(@f)$(sidecar-sweeper __complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :* ]]; then
      directive=$line
    elif [[ -n $line ]]; then
      line=\${line//:/\\\\:}
      found+=("\${line/$'\\t'/:}")
    fi
  done
  (( $#found )) && _describe 'sidecar-sweeper' found
  if [[ $directive == :0 ]]; then
    compset -P '*='
    _files
  fi
}
if [[ \${funcstack[1]} == _sidecar-sweeper ]]; then _sidecar_sweeper; else compdef _sidecar_sweeper sidecar-sweeper; fi
`,
  fish: `function __sidecar_sweeper_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -e words[1]
  for line in (sidecar-sweeper __complete $words "$current" 2>/dev/null)
    switch $line
      case ':0'
        __fish_complete_path (string replace -r '^--[^=]*=' '' -- "$current")
      case ':*'
      case '*'
        echo $line
    end
  end
end
complete -c sidecar-sweeper -f -a '(__sidecar_sweeper_complete)'
`,
} as const;

export type Shell = keyof typeof scripts;

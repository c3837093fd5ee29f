# Send files to a server.
param([string[]]$Files, [Parameter(Mandatory)][string]$Server)
foreach ($f in $Files) { scp $f "${Server}:" }

<#
.SYNOPSIS
Scales all pictures of a folder.
.PARAMETER Folder
Where the pictures are.
.PARAMETER Mode
How to scale.
#>
[CmdletBinding()]
param(
    [Parameter(Mandatory = $true, Position = 0)]
    [string]$Folder,

    [ValidateSet('fit', 'fill', 'stretch')]
    [string]$Mode = 'fit',

    # Pixels on the longer side.
    [ValidateRange(1, 10000)]
    [int]$Size = 1024,

    [double]$Quality = 0.9,

    [string]$Out = (Join-Path $PWD 'out'),

    [switch]$Recurse
)
Get-ChildItem $Folder -Recurse:$Recurse | ForEach-Object { Write-Output "$($_.Name) $Mode $Size $Quality $Out" }

# Acceptance on a real Windows: run it in a PowerShell with administrator rights, on a computer or a virtual
# machine WHOSE DATA MAY BE LOST. It never begins by itself: each part that changes something asks first.
#
#   powershell -ExecutionPolicy Bypass -File windows.ps1 -Program .\latchkey.exe -Stick E:\
#
# It writes what it saw to acceptance-windows.txt, without keys. Please send that file with a report.
param(
    [Parameter(Mandatory = $true)] [string] $Program,
    [Parameter(Mandatory = $true)] [string] $Stick
)
$ErrorActionPreference = 'Stop'
$failed = 0
$log = Join-Path (Get-Location) 'acceptance-windows.txt'
Set-Content $log "Latchkey acceptance, $([Environment]::OSVersion.VersionString)"

function Note([string] $text) { Add-Content $log $text; Write-Host $text }
function Expect([string] $what, [bool] $is) {
    if ($is) { Note "passed  $what" } else { Note "FAILED  $what"; $script:failed++ }
}
function Agree([string] $what) { (Read-Host "$what Type YES to do it") -ceq 'YES' }

$admin = ([Security.Principal.WindowsPrincipal][Security.Principal.WindowsIdentity]::GetCurrent()).IsInRole('Administrators')
Expect 'administrator rights' $admin
Expect 'the program starts' ((& $Program --version) -match 'latchkey')

# 1. What it sees is what Windows says, for every letter.
$space = @{ Namespace = 'root\cimv2\Security\MicrosoftVolumeEncryption'; ClassName = 'Win32_EncryptableVolume' }
$told = & $Program status --json | ConvertFrom-Json
Add-Content $log ($told | ConvertTo-Json -Depth 12)
foreach ($volume in Get-CimInstance @space | Where-Object DriveLetter) {
    $protection = ($volume | Invoke-CimMethod -MethodName GetProtectionStatus).ProtectionStatus
    $status = ($volume | Invoke-CimMethod -MethodName GetConversionStatus).ConversionStatus
    Note "$($volume.DriveLetter) conversion $status protection $protection"
    $place = $told.computer.places | Where-Object { $_.place -like "$($volume.DriveLetter)*" }
    if ($place) {
        $green = $place.judged.verdict -eq 'protected'
        Expect "$($volume.DriveLetter) is green exactly if Windows protects it" ($green -eq ($status -eq 1 -and $protection -eq 1))
    }
}

# 2. A practice drive, encrypted here; take it to a Linux and open it with `cryptsetup open --test-passphrase`.
$folder = Join-Path $env:TEMP 'latchkey-acceptance'
New-Item -ItemType Directory -Force $folder | Out-Null
$password = Join-Path $folder 'password.txt'
[IO.File]::WriteAllText($password, 'a password for practice')
Note 'Copy tests/acceptance/drive.img (a FAT image, see README) beside this script to try a practice drive.'
if (Test-Path 'drive.img') {
    & $Program encrypt drive.img --password-file $password --recovery-dir $Stick --yes
    Expect 'the practice drive is encrypted' ($LASTEXITCODE -eq 0)
    & $Program prove drive.img --password-file $password
    Expect 'and its password opens it' ($LASTEXITCODE -eq 0)
}

# 3. The Windows tests of the engines: `cargo test -p bitlocker -p filevault -p blockdev -p recovery` on this computer.
# 4. The real thing, by hand, in the window; afterwards:
if (Agree 'Has the window encrypted drive C: on this computer, and was it restarted?') {
    $c = Get-CimInstance @space | Where-Object DriveLetter -eq 'C:'
    $ids = ($c | Invoke-CimMethod -MethodName GetKeyProtectors -Arguments @{ KeyProtectorType = [uint32]3 }).VolumeKeyProtectorID
    Expect 'there is one recovery password' (@($ids).Count -eq 1)
    $bare = $ids[0].Trim('{', '}')
    Expect 'its copy is on the stick' (@(Get-ChildItem $Stick -Filter "BitLocker $bare*.txt").Count -ge 1)
    $method = ($c | Invoke-CimMethod -MethodName GetEncryptionMethod).EncryptionMethod
    Note "encryption method $method (5 is the drive's own)"
    Expect 'C: is protected' (($c | Invoke-CimMethod -MethodName GetProtectionStatus).ProtectionStatus -eq 1)
}
Note "$failed failed"
exit [int]($failed -ne 0)

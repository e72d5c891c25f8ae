; electron-builder takes this file into its installer for Windows.

; Before the files go: the connected tools get their files back, as by "Disconnect all". An update leaves all as it
; is. Whatever fails, the removal goes on.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    ${if} ${FileExists} "$APPDATA\Switchyard\connect\*.json"
      nsExec::ExecToStack /TIMEOUT=60000 '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" --disconnect-all'
      Pop $0
      Pop $1
      ${if} $0 != 0
        ; This section is silent in any case; nobody looks only where /S was given.
        ClearErrors
        ${GetParameters} $R0
        ${GetOptions} $R0 "/S" $R1
        ${if} ${Errors}
          MessageBox MB_OK|MB_ICONEXCLAMATION "Some tools still point at Switchyard:$\r$\n$\r$\n$1"
        ${endIf}
      ${endIf}
      ; Its own helper processes may still hold files.
      Sleep 500
    ${endIf}
  ${endIf}
!macroend

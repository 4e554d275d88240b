; Wrapped AI apps run the app's executable as Node ("sluice connect"), so it is in use after the app was quit, too.
; These processes end without a question, again and again, because an app may start one meanwhile. Each app's next
; start of its servers takes the new version.
!macro customCheckAppRunning
  DetailPrint "$(appClosing)"
  StrCpy $R1 0
  ${Do}
    ; Ends what runs from this folder, and exits with how many there were.
    nsExec::Exec `"$PowerShellPath" -NoProfile -NonInteractive -C "$$own = @(Get-CimInstance -ClassName Win32_Process | ? {$$_.Path -eq '$INSTDIR\${APP_EXECUTABLE_FILENAME}'}); $$own | % { Stop-Process -Id $$_.ProcessId -Force -ErrorAction SilentlyContinue }; exit $$own.Count"`
    Pop $R0
    ${If} $R0 == 0
      ${ExitDo}
    ${EndIf}
    IntOp $R1 $R1 + 1
    ${If} $R0 == "error"
      ; Without PowerShell.
      nsExec::Exec `"$CmdPath" /C taskkill /F /IM "${APP_EXECUTABLE_FILENAME}" /FI "USERNAME eq %USERNAME%"`
      Pop $R0
      ${If} $R1 > 2
        ${ExitDo}
      ${EndIf}
    ${EndIf}
    ${If} $R1 > 20
      MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(appCannotBeClosed)" /SD IDCANCEL IDRETRY +2
      Quit
      StrCpy $R1 0
    ${EndIf}
    Sleep 500
  ${Loop}
!macroend

import { ipcRenderer } from 'electron'

// The page gets nothing of Electron: neither an API nor a channel. It makes a MessageChannel and hands over one end, which
// goes to the main process; what may be said through it is the contract of shared/api. Both names are in main's screens-port.

const HAND_OVER = 'sluice:port'

window.addEventListener('message', ({ source, origin, data, ports }) => {
  if (source !== window || origin !== location.origin || data !== HAND_OVER) return
  ipcRenderer.postMessage(HAND_OVER, undefined, [...ports])
})

import { ipcRenderer } from 'electron'

// The page gets no Electron API or channel. It creates a MessageChannel and passes one end to the main process;
// shared/api is the contract. Both names are also in main's screens-port.

const HAND_OVER = 'sluice:port'

window.addEventListener('message', ({ source, origin, data, ports }) => {
  if (source !== window || origin !== location.origin || data !== HAND_OVER) return
  ipcRenderer.postMessage(HAND_OVER, undefined, [...ports])
})

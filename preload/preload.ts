import { contextBridge, ipcRenderer } from 'electron'
import type { ConsoleBridge, StreamEvent } from './contract.ts'

type StreamListener = (event: StreamEvent) => void

const streams = new Map<number, StreamListener>()
let lastStream = 0

ipcRenderer.on('operation.event', (_event, id: number, event: StreamEvent) => {
  const listener = streams.get(id)
  if (event.type === 'end' || event.type === 'error') streams.delete(id)
  listener?.(event)
})

const bridge: ConsoleBridge = {
  call: (name, input) => ipcRenderer.invoke('operation.call', name, input),

  stream(name, input, onEvent) {
    const id = ++lastStream
    streams.set(id, onEvent)
    ipcRenderer.send('operation.stream', id, name, input)
    return () => {
      if (streams.delete(id)) ipcRenderer.send('operation.cancel', id)
    }
  },

  on(event, listener) {
    // The event object stays here: through its sender a page could reach every channel.
    const listen = (_event: unknown, pushed: string) => {
      if (pushed === event) listener()
    }
    ipcRenderer.on('pushed', listen)
    return () => {
      ipcRenderer.off('pushed', listen)
    }
  },

  platform: process.platform,
}

contextBridge.exposeInMainWorld('switchyard', bridge)

import type { FrameSocket } from '../../base/net/frame-socket.ts'
import type { CallCapture } from '../../capture/call-capture.ts'

/** The socket, with every message that crosses it captured where the session is. */
export function capturedSocket(
  socket: FrameSocket,
  side: 'client' | 'upstream',
  capture: CallCapture | null | undefined,
): FrameSocket {
  if (!capture) return socket
  return {
    listen: (listener) =>
      socket.listen({
        onFrame(data, isBinary) {
          capture.frame(`${side}-in`, data, isBinary)
          listener.onFrame(data, isBinary)
        },
        onDrain: () => listener.onDrain(),
        onEnd: (end) => listener.onEnd(end),
      }),
    send(data, isBinary) {
      capture.frame(`${side}-out`, data, isBinary, true)
      return socket.send(data, isBinary)
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: (code, reason) => socket.close(code, reason),
  }
}

import { connect } from 'node:net'
import { headersOf, type Place, type Prepared, targetOf } from '../places.ts'

/** The lines before a body, those of the place's headers replaced by what is said beside them. */
export const headOf = (place: Place, sent: Prepared, ...more: readonly string[]): string => {
  const said = new Set(more.map((line) => line.split(':')[0]?.toLowerCase()))
  return [
    `${place.method} ${targetOf(place, sent)} HTTP/1.1`,
    'Host: x',
    ...Object.entries(headersOf(sent)).flatMap(([name, value]) => (said.has(name) ? [] : [`${name}: ${value}`])),
    ...more,
    '\r\n',
  ].join('\r\n')
}

/** Sends a text and then chunks for as long as they are taken; how many bytes that was, and what came back. */
export const endless = (
  { url }: { readonly url: string },
  head: string,
  mostBytes: number,
  content = 'x'.repeat(65_536),
): Promise<{ readonly bytes: number; readonly text: string }> =>
  new Promise((resolve) => {
    const chunk = `${content.length.toString(16)}\r\n${content}\r\n`
    let [bytes, text] = [0, '']
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write(head)
      pour()
    })
    const pour = (): void => {
      while (!socket.destroyed && text === '' && bytes <= mostBytes) {
        bytes += chunk.length
        if (!socket.write(chunk)) return
      }
      if (bytes > mostBytes) socket.destroy()
    }
    socket.on('drain', pour)
    socket.on('data', (piece: Buffer) => {
      text += piece
      socket.destroySoon()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve({ bytes, text }))
  })

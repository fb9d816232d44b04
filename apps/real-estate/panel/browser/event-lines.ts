/** An event of a stream. */
export interface StreamEvent {
  readonly id: string | null
  readonly event: string
  readonly data: string
}

const NONE: StreamEvent = { id: null, event: 'message', data: '' }

/** What a block of lines tells; null for comments alone, and for what has no data. Source: the HTML standard, 9.2.6. */
const eventOf = (block: string): StreamEvent | null => {
  let told = NONE
  const data: string[] = []
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? []
    if (name === 'data') data.push(value)
    if (name === 'id') told = { ...told, id: value }
    if (name === 'event') told = { ...told, event: value }
  }
  return data.length === 0 ? null : { ...told, data: data.join('\n') }
}

/** Takes a stream piece by piece, however it was cut, and gives the events that each piece completes. */
export const eventReader = (): ((piece: string) => readonly StreamEvent[]) => {
  let rest = ''
  return (piece) => {
    // A carriage return at the very end may be half of a line's end.
    const text = rest + piece
    const isHalf = text.endsWith('\r')
    const blocks = (isHalf ? text.slice(0, -1) : text).replace(/\r\n?/g, '\n').split('\n\n')
    rest = (blocks.pop() ?? '') + (isHalf ? '\r' : '')
    return blocks.flatMap((block) => eventOf(block) ?? [])
  }
}

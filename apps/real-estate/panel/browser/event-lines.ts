/** A block of a stream: an event, or an id alone, which is the place that the stream has reached. */
export interface StreamEvent {
  readonly id: string | null
  readonly event: string
  /** Null in a block without data, which is no event. */
  readonly data: string | null
}

const NONE: StreamEvent = { id: null, event: 'message', data: null }

/** Reads a block of lines; null if it has neither data nor id. Source: the HTML standard, 9.2.6. */
const eventOf = (block: string): StreamEvent | null => {
  let told = NONE
  const data: string[] = []
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? []
    if (name === 'data') data.push(value)
    if (name === 'id') told = { ...told, id: value }
    if (name === 'event') told = { ...told, event: value }
  }
  if (data.length > 0) return { ...told, data: data.join('\n') }
  return told.id === null ? null : told
}

/** Takes a stream piece by piece, however it was cut, and returns the blocks that each piece completes. */
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

/** A block of a stream: an event, or only an id, from which the stream can resume. */
export interface StreamEvent {
  readonly id: string | null
  readonly event: string
  /** Null in a block without an event. */
  readonly data: string | null
}

const NONE: StreamEvent = { id: null, event: 'message', data: null }

/** Parses a block as the HTML standard says (9.2.6). Returns null if it has neither data nor id. */
const eventOf = (block: string): StreamEvent | null => {
  let event = NONE
  const data: string[] = []
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? []
    if (name === 'data') data.push(value)
    if (name === 'id') event = { ...event, id: value }
    if (name === 'event') event = { ...event, event: value }
  }
  if (data.length > 0) return { ...event, data: data.join('\n') }
  return event.id === null ? null : event
}

/** Returns a parser that takes a stream in pieces of any length and returns the blocks that each piece completes. */
export const eventReader = (): ((piece: string) => readonly StreamEvent[]) => {
  let rest = ''
  return (piece) => {
    // A carriage return at the end may be half of a line end.
    const text = rest + piece
    const isHalf = text.endsWith('\r')
    const blocks = (isHalf ? text.slice(0, -1) : text).replace(/\r\n?/g, '\n').split('\n\n')
    rest = (blocks.pop() ?? '') + (isHalf ? '\r' : '')
    return blocks.flatMap((block) => eventOf(block) ?? [])
  }
}

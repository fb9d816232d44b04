import { type Failure, failure, type Issue, invalid, refusal } from '../../failure.ts'
import { type Either, isLeft, left, right } from '../../fp.ts'
import { type ColumnCode, columnsOf } from '../../kernel/input/columns.ts'
import type { Input } from '../../kernel/input/input.ts'
import { CAMEL_CASE } from '../../kernel/input/side.ts'
import type { Day } from '../../kernel/values/day.ts'
import { MAX_ATOMIC_LINES, MAX_IMPORT_LINES } from '../../limits.ts'
import type { SheetLine, SheetReader } from '../../ports/sheet-reader.ts'

/** What a line of a file says, or what is wrong with it, by the names of its columns. */
export interface ImportLine<A> {
  /** The first line of the file is 1. */
  readonly line: number
  readonly sent: Either<readonly Issue[], A>
}

/** A file whose columns are right. */
export interface ImportFile<A> {
  readonly lines: readonly SheetLine[]
  /** Reads some of its lines: of all at once others would wait for them. */
  decode(lines: readonly SheetLine[], today: Day): readonly ImportLine<A>[]
  /** A path of a decision as a column is called. */
  nameOf(path: string): string
}

export type FileCode = 'fields' | 'import.malformed' | 'import.too-long' | 'import.atomic.too-long'

/** How the records of an input are read from a file, whose columns and values are those of the API. */
export const fileReader = <A>(created: Input<A>) => {
  const shape = created.on(CAMEL_CASE)
  const columns = columnsOf(created, CAMEL_CASE)
  const decodeLine = (titles: readonly string[], { line, cells }: SheetLine, today: Day): ImportLine<A> => {
    const { value, issues } = columns.valueOf(titles, cells)
    const got = shape.decode(value, today)
    const wrong = [...(isLeft(got) ? got.left : []), ...issues]
    return { line, sent: isLeft(got) || wrong.length > 0 ? left(wrong) : got }
  }
  /**
   * Fails: `fields` (`column.unknown`, `repeated`, `required`, by the names of columns), `import.malformed` (with the line),
   * `import.too-long`, `import.atomic.too-long`.
   */
  return async (
    reader: SheetReader,
    { csv, atomic }: { readonly csv: string; readonly atomic: boolean },
  ): Promise<Either<Failure<FileCode, ColumnCode>, ImportFile<A>>> => {
    const most = atomic ? MAX_ATOMIC_LINES : MAX_IMPORT_LINES
    const titlesAndOneMore = 2
    const read = await reader.csv(csv, most + titlesAndOneMore)
    if (read.is === 'malformed') return left(refusal('import.malformed', `${read.line}`))
    const [first, ...lines] = read.lines
    const titles = (first?.cells ?? []).map((title) => title.trim())
    const wrong = columns.wrongTitles(titles)
    if (wrong.length > 0) return left(invalid(wrong))
    if (lines.length > most) return left(failure('refused', atomic ? 'import.atomic.too-long' : 'import.too-long'))
    return right({
      lines,
      decode: (some, today) => some.map((each) => decodeLine(titles, each, today)),
      nameOf: shape.pathOf,
    })
  }
}

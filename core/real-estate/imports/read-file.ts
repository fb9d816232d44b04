import { type Failure, failure, type Issue, invalid, issue, refusal } from '../../failure.ts'
import { type Either, isLeft, left, right } from '../../fp.ts'
import { type ColumnCode, columnsOf } from '../../kernel/input/columns.ts'
import { CAMEL_CASE, field, reject, withDefault } from '../../kernel/input/field.ts'
import { type Input, type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { flag } from '../../kernel/input/scalars.ts'
import type { Day } from '../../kernel/values/day.ts'
import { parseTaxId } from '../../kernel/values/tax-id.ts'
import { MAX_ATOMIC_LINES, MAX_IMPORT_LINES } from '../../limits.ts'
import type { SheetLine, SheetReader } from '../../ports/sheets.ts'

const isText = (value: unknown): value is string => typeof value === 'string'

/** A file as it is: what is wrong with its texts is told line by line. */
const csv = field<string, string, 'text'>(
  {
    name: 'csv',
    schema: { type: 'string' },
    is: isText,
    read: (value) => (isText(value) ? right(value) : reject('text')),
  },
  { about: 'O arquivo' },
)

const DRY_RUN = 'Se só se confere o arquivo: a resposta diz o que seria cadastrado, e nada é gravado'
const ATOMIC = 'Se todas as linhas são cadastradas ou nenhuma; então são no máximo 500'

/** What a program says of a file that it imports: the names of its columns and its values are those of the API. */
export const newImport = input('NewImport', {
  csv,
  atomic: withDefault(flag({ about: ATOMIC }), false),
  dryRun: withDefault(flag({ about: DRY_RUN }), false),
})
export type NewImport = InputOf<typeof newImport>

/** How a file is imported, beside what it holds. */
export const importOptions = input(null, {
  atomic: withDefault(inQuery.flag({ about: ATOMIC }), false),
  dryRun: withDefault(inQuery.flag({ about: DRY_RUN }), false),
})

/** What a line of a file says, or what is wrong with it, by the names of its columns. */
export interface ImportLine<A> {
  /** The first line of the file is 1. */
  readonly line: number
  readonly sent: Either<readonly Issue[], A>
}

/** A file whose columns are right. */
export interface ImportFile<A> {
  readonly lines: readonly SheetLine[]
  /** The documents that some lines have in a column of references. */
  documentsIn(lines: readonly SheetLine[], column: string): readonly string[]
  /** Decodes some of its lines: to decode all at once would hold up other requests. */
  decode(lines: readonly SheetLine[], today: Day, idOf: IdOfDocument): readonly ImportLine<A>[]
  /** A path of a decision as a column is called. */
  nameOf(path: string): string
}

/** The id of the record that a column names by its CPF or CNPJ; null if there is none. */
export type IdOfDocument = (column: string, document: string) => string | null

/** The faults of a cell that names a record by its id, CPF or CNPJ. */
export type DocumentCode = 'reference.document' | 'reference.unknown'

/** Stands for a record that was not found, which is an issue of its own. */
const NO_RECORD = '00000000-0000-0000-0000-000000000000'
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export type FileCode = 'fields' | 'import.malformed' | 'import.too-long' | 'import.atomic.too-long'

/**
 * Reads the records of an input from a file, whose columns and values are those of the API. A column of `references` names its
 * record by id, CPF or CNPJ.
 */
export const fileReader = <A>(created: Input<A>, references: readonly string[] = []) => {
  const shape = created.on(CAMEL_CASE)
  const columns = columnsOf(created, CAMEL_CASE)
  const referred = (value: object, idOf: IdOfDocument) => {
    const ids: Record<string, string> = {}
    const issues: Issue<DocumentCode>[] = []
    for (const [column, cell] of Object.entries(value)) {
      const text = `${cell}`.trim()
      if (!references.includes(column) || GUID.test(text)) continue
      const document = parseTaxId(text)
      const id = document === null ? null : idOf(column, document)
      ids[column] = id ?? NO_RECORD
      if (id === null) issues.push(issue(column, document === null ? 'reference.document' : 'reference.unknown'))
    }
    return { ids, issues }
  }
  type Titles = readonly string[]
  const decodeLine = (titles: Titles, { line, cells }: SheetLine, today: Day, idOf: IdOfDocument): ImportLine<A> => {
    const { value, issues } = columns.readRow(titles, cells)
    const { ids, issues: unreferred } = referred(value, idOf)
    const got = shape.decode({ ...value, ...ids }, today)
    // A cell has one fault: what its column says of it stands before what its field says.
    const own = [...issues, ...unreferred]
    const others = isLeft(got) ? got.left.filter(({ path }) => !own.some((each) => each.path === path)) : []
    const wrong = [...others, ...own]
    return { line, sent: isLeft(got) || wrong.length > 0 ? left(wrong) : got }
  }
  /**
   * Fails: `fields` (`column.unknown`, `repeated`, `required`, by the names of columns), `import.malformed` (with the line),
   * `import.too-long`, `import.atomic.too-long`.
   */
  return async (
    reader: SheetReader,
    { csv, atomic }: { readonly csv: string; readonly atomic: boolean },
  ): Promise<Either<Failure<FileCode, ColumnCode | DocumentCode>, ImportFile<A>>> => {
    const most = atomic ? MAX_ATOMIC_LINES : MAX_IMPORT_LINES
    const titlesAndOneMore = 2
    const read = await reader.csv(csv, most + titlesAndOneMore)
    if (read.is === 'malformed') return left(refusal('import.malformed', `${read.line}`))
    const [first, ...lines] = read.lines
    const titles = (first?.cells ?? []).map((title) => title.trim())
    const wrong = columns.titleIssues(titles)
    if (wrong.length > 0) return left(invalid(wrong))
    if (lines.length > most) return left(failure('refused', atomic ? 'import.atomic.too-long' : 'import.too-long'))
    return right({
      lines,
      documentsIn(some, column) {
        const at = titles.indexOf(column)
        return some.flatMap(({ cells }) => parseTaxId(cells[at] ?? '') ?? [])
      },
      decode: (some, today, idOf) => some.map((each) => decodeLine(titles, each, today, idOf)),
      nameOf: shape.pathOf,
    })
  }
}

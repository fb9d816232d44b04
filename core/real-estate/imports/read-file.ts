import {
  type Either,
  type Failure,
  failure,
  type Issue,
  invalid,
  isLeft,
  issue,
  left,
  refusal,
  right,
} from '../../failure.ts'
import { type ColumnCode, columnsOf } from '../../kernel/input/columns.ts'
import {
  CAMEL_CASE,
  exactNames,
  field,
  flag,
  type Input,
  type InputOf,
  input,
  inQuery,
  reject,
  withDefault,
} from '../../kernel/input/mod.ts'
import type { Day } from '../../kernel/values/day.ts'
import { parseTaxId } from '../../kernel/values/tax-id.ts'
import { MAX_ATOMIC_LINES, MAX_IMPORT_LINES } from '../../limits.ts'
import type { SheetLine, SheetReader } from '../../ports/sheets.ts'

const isText = (value: unknown): value is string => typeof value === 'string'

/** Accepts any text: issues are reported line by line. */
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

/** A file to import, with the API's column names and values. */
export const newImport = input(
  'NewImport',
  {
    csv,
    atomic: withDefault(flag({ about: ATOMIC }), false),
    dryRun: withDefault(flag({ about: DRY_RUN }), false),
  },
  exactNames('atomic', 'dryRun'),
)
export type NewImport = InputOf<typeof newImport>

export const importOptions = input(
  null,
  {
    atomic: withDefault(inQuery.flag({ about: ATOMIC }), false),
    dryRun: withDefault(inQuery.flag({ about: DRY_RUN }), false),
  },
  exactNames('atomic', 'dryRun'),
)

/** The decoded values of a line, or its issues by column. */
export interface ImportLine<A> {
  /** The first line of the file is 1. */
  readonly line: number
  readonly fields: Either<readonly Issue[], A>
}

/** A file with valid columns. */
export interface ImportFile<A> {
  readonly lines: readonly SheetLine[]
  /** Returns the documents in a column of references. */
  documentsIn(lines: readonly SheetLine[], column: string): readonly string[]
  /** Decodes lines; callers decode a slice at a time, so that other requests run in between. */
  decode(lines: readonly SheetLine[], today: Day, idOf: IdOfDocument): readonly ImportLine<A>[]
  /** Returns the column of an issue's path. */
  nameOf(path: string): string
}

/** Returns the id of the record that a column names by CPF or CNPJ, or null. */
export type IdOfDocument = (column: string, document: string) => string | null

type DocumentCode = 'reference.document' | 'reference.unknown'

/** Stands for a record that is not found, which is reported as its own issue. */
const NO_RECORD = '00000000-0000-0000-0000-000000000000'
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

type FileCode = 'fields' | 'import.malformed' | 'import.too-long' | 'import.atomic.too-long'

/**
 * Reads the records of an input from a file with the API's column names and values. A column of `references` refers to
 * a record by id, CPF or CNPJ.
 */
export const fileReader = <A>(created: Input<A>, references: readonly string[] = []) => {
  const shape = created.on(CAMEL_CASE)
  const columns = columnsOf(created, CAMEL_CASE)
  const resolveReferences = (value: object, idOf: IdOfDocument) => {
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
    const { ids, issues: unresolved } = resolveReferences(value, idOf)
    const decoded = shape.decode({ ...value, ...ids }, today)
    // A cell has one issue; the column's takes precedence over the field's.
    const own = [...issues, ...unresolved]
    const others = isLeft(decoded) ? decoded.left.filter(({ path }) => !own.some((each) => each.path === path)) : []
    const wrong = [...others, ...own]
    return { line, fields: isLeft(decoded) || wrong.length > 0 ? left(wrong) : decoded }
  }
  /**
   * Fails: `fields` (`column.unknown`, `repeated`, `required`, by the names of columns), `import.malformed` (with the
   * line), `import.too-long`, `import.atomic.too-long`.
   */
  return async (
    reader: SheetReader,
    { csv, atomic }: { readonly csv: string; readonly atomic: boolean },
  ): Promise<Either<Failure<FileCode, ColumnCode | DocumentCode>, ImportFile<A>>> => {
    const maxLines = atomic ? MAX_ATOMIC_LINES : MAX_IMPORT_LINES
    const titlesAndOneMore = 2
    const read = await reader.csv(csv, maxLines + titlesAndOneMore)
    if (read.is === 'malformed') return left(refusal('import.malformed', `${read.line}`))
    const [first, ...lines] = read.lines
    const titles = (first?.cells ?? []).map((title) => title.trim())
    const wrong = columns.titleIssues(titles)
    if (wrong.length > 0) return left(invalid(wrong))
    if (lines.length > maxLines) return left(failure('refused', atomic ? 'import.atomic.too-long' : 'import.too-long'))
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

import { type Either, type Failure, failure, type Issue, isLeft, left, right } from '../../failure.ts'
import type { Decoded, Input } from '../../kernel/input/mod.ts'
import type { Change, Collection, Rec } from '../../kernel/records/record.ts'
import { type Facts, recordsById, tenantKey } from '../../kernel/resources/queries.ts'
import type { RecordDecision, Resource, ResourceTypes } from '../../kernel/resources/resource.ts'
import { serialByName } from '../../kernel/running/concurrency.ts'
import { uuidFromHash } from '../../kernel/running/ids.ts'
import { retryWhileBusy } from '../../kernel/running/slices.ts'
import {
  accept,
  decideAndCommit,
  type Fresh,
  finishOperation,
  operationUseCase,
  type RunnerCode,
  startOperation,
  type UseCase,
  useCase,
  useCaseOf,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { dayOf } from '../../kernel/values/day.ts'
import { KEY_CHANGES, MAX_CHANGES_PER_COMMIT } from '../../limits.ts'
import type { SheetLine } from '../../ports/sheets.ts'
import { byKey, type Store } from '../../ports/store.ts'
import { storeResult } from '../office.ts'
import type { Actor, RealEstatePorts } from '../real-estate-ports.ts'
import type { Client } from '../records/people.ts'
import {
  fileReader,
  type IdOfDocument,
  type ImportFile,
  type ImportLine,
  type NewImport,
  newImport,
} from './read-file.ts'

interface ImportKind extends ResourceTypes {
  readonly tenant: 'companyId'
  readonly id: string
  readonly record: Rec & { readonly id: string }
}

interface Importable<S extends ImportKind, A> {
  readonly resource: Resource<S>
  /** The input of a POST: its fields are the columns, and its rules apply to each line. */
  readonly created: Input<Decoded<S['input']>>
  /** Columns that also accept a CPF or CNPJ, and the collection that they refer to. */
  readonly references?: { readonly [column in keyof S['input'] & string]?: Referable }
  /** The decision of a POST. */
  readonly create: (
    facts: Facts<S['record']>,
    actor: A,
    fields: Decoded<S['input']>,
    fresh: Fresh,
  ) => Either<Failure<string, string>, RecordDecision<S['record']>>
}

/**
 * Imports records from a CSV, each line as a POST; with `atomic` all or none. Columns and values are those of the API,
 * and issues of a line name its columns. With `dryRun` nothing is stored, and lines have no id.
 * Fails: `fields` (`column.unknown`, `repeated`, `required`: of the columns), `import.malformed`, `import.too-long`,
 * `import.atomic.too-long`, `import.atomic.too-wide`.
 */
export const importOf = <S extends ImportKind, A extends Pick<Actor, 'companyId'>>({
  resource: { collection, spec, readFacts },
  created,
  references = {},
  create,
}: Importable<S, A>) => {
  const readFile = fileReader(created, Object.keys(references))
  return (ports: RealEstatePorts) => {
    // Imports of one company run one after the other, since they would conflict.
    const inSequence = serialByName()
    return (actor: A, submitted: NewImport) =>
      withValidInput(ports, newImport, submitted, (request) =>
        useCaseOf<Imported>()((hooks) =>
          inSequence(actor.companyId, async () => {
            const file = await readFile(ports.sheetReader, request)
            if (isLeft(file)) return file
            const { companyId } = actor
            const run: Run<Decoded<S['input']>, S['record']> = {
              ports,
              companyId,
              file: file.right,
              collection,
              unique: spec.unique ?? [],
              read: (store, fields) => readFacts(store, companyId, null, fields),
              create: (facts, fields, fresh) => create(facts, actor, fields, fresh),
              references,
              isDry: request.dryRun,
              nameOf: file.right.nameOf,
            }
            if (request.atomic) return createAllOrNone(run)(hooks)
            return request.dryRun ? checkAll(run)(hooks) : createEach(run)(hooks)
          }),
        ),
      )
  }
}

/** The result of a line: the id of its record or null, and its issues by column. */
export interface ImportedLine {
  readonly line: number
  readonly id: string | null
  readonly issues: readonly Issue[]
}

/** A line with the records that its decision depends on. */
interface LineFacts<A, R> extends ImportLine<A> {
  /** Null if the line has issues. */
  readonly facts: Facts<R> | null
  /** True if an earlier, interrupted call has created the record. */
  readonly exists: boolean
}

/** The parts of a run that decide its lines. */
interface LineRules<A, R> {
  readonly unique: readonly string[]
  readonly create: (facts: Facts<R>, fields: A, fresh: Fresh) => Either<Failure<string, string>, RecordDecision<R>>
  /** Returns the column of an issue's path. */
  readonly nameOf: (path: string) => string
}

/** Decides lines one after the other, each as a POST after those before it. */
const decideLines = <A, R extends Rec & { readonly id: string }>(
  lines: readonly LineFacts<A, R>[],
  { unique, create, nameOf }: LineRules<A, R>,
  fresh: Fresh,
  idOf: (line: number) => string,
  /** The records of earlier lines, by unique field. */
  earlier = new Map<string, R>(),
): { readonly results: readonly ImportedLine[]; readonly changes: readonly Change[] } => {
  const results: ImportedLine[] = []
  const changes: Change[] = []
  // A spread would miss these values, since they are getters.
  const { now, steady, today, id: drawId, text, bytes, trace, mark } = fresh
  const otherDraws = { now, steady, today, id: drawId, text, bytes, trace, mark }
  const keyOf = (field: string, { [field]: text }: Readonly<Record<string, unknown>>) => `${field}|${text}`
  for (const { line, fields, facts, exists } of lines) {
    if (isLeft(fields)) results.push({ line, id: null, issues: fields.left })
    else if (exists) results.push({ line, id: idOf(line), issues: [] })
    else if (facts) {
      const taken = unique.flatMap((field) => {
        const holder = earlier.get(keyOf(field, Object(fields.right)))
        return holder ? [[field, holder] as const] : []
      })
      const holders = { ...facts.keyHolders, ...Object.fromEntries(taken) }
      const id = idOf(line)
      const decision = create({ ...facts, keyHolders: holders }, fields.right, { ...otherDraws, uuid: () => id })
      if (isLeft(decision)) {
        results.push({ line, id: null, issues: issuesOf(decision.left, nameOf) })
        continue
      }
      const { record } = decision.right
      results.push({ line, id, issues: [] })
      changes.push(...decision.right.changes)
      for (const field of unique) if (record[field] !== null) earlier.set(keyOf(field, record), record)
    }
  }
  return { results, changes: mergePatches(changes) }
}

const issuesOf = (failure: Failure<string, string>, nameOf: (path: string) => string): readonly Issue[] =>
  failure.tag === 'invalid' ? failure.issues.map(({ path, ...rest }) => ({ ...rest, path: nameOf(path) })) : []

/** Merges patches that differ only in the amounts that they add. */
const mergePatches = (changes: readonly Change[]): readonly Change[] => {
  const merged = new Map<string, Change>()
  for (const change of changes) {
    const key = changeKey(change)
    const known = merged.get(key)
    merged.set(key, known?.kind === 'patch' && change.kind === 'patch' ? addAmounts(known, change) : change)
  }
  return [...merged.values()]
}

/** Returns a key that is equal for patches that differ only in the amounts that they add. */
const changeKey = (change: Change): string =>
  JSON.stringify(change.kind === 'insert' ? change.at : { ...change, add: undefined })

const addAmounts = <P extends Extract<Change, { kind: 'patch' }>>(known: P, { add = {} }: P): P => ({
  ...known,
  add: Object.fromEntries(Object.entries(known.add ?? {}).map(([field, by]) => [field, by + (add[field] ?? 0)])),
})

const LINES_AT_ONCE = 50
/**
 * The limit of reported issues, so that the result fits in an idempotency record. Above it, one issue a line is
 * reported.
 */
const MAX_REPORTED_ISSUES = 10_000

/** The result of an import. */
export interface Imported {
  readonly created: number
  /** Lines without a record. */
  readonly failed: number
  /** All lines of the file that are not empty, in order. */
  readonly lines: readonly ImportedLine[]
}

type ImportedRecord = Rec & { readonly id: string }

/** Collections whose records have a unique document in their company. */
type Referable = Collection<Client>

interface Run<A, R extends ImportedRecord> extends LineRules<A, R> {
  readonly ports: RealEstatePorts
  readonly companyId: string
  readonly file: ImportFile<A>
  readonly collection: Collection<R>
  readonly read: (store: Store, fields: A) => Promise<Facts<R>>
  readonly references: Readonly<Record<string, Referable | undefined>>
  /** True if nothing is stored. */
  readonly isDry: boolean
}

function* slicesOf(lines: readonly SheetLine[]): Iterable<readonly SheetLine[]> {
  for (let at = 0; at < lines.length; at += LINES_AT_ONCE) yield lines.slice(at, at + LINES_AT_ONCE)
}

/** Reads the ids of the records to which lines refer by document. */
const readReferences = async <A, R extends ImportedRecord>(
  { companyId, file, references }: Run<A, R>,
  store: Store,
  lines: readonly SheetLine[],
): Promise<IdOfDocument> => {
  const found = new Map<string, string>()
  for (const [column, from] of Object.entries(references))
    for (const document of new Set(from ? file.documentsIn(lines, column) : [])) {
      const record = from && (await store.find(byKey(from, 'taxId', tenantKey(companyId, document))))
      if (record) found.set(`${column}|${document}`, record.id)
    }
  return (column, document) => found.get(`${column}|${document}`) ?? null
}

const readLines = async <A, R extends ImportedRecord>(
  run: Run<A, R>,
  store: Store,
  lines: readonly SheetLine[],
  exists: (line: number) => boolean = () => false,
): Promise<readonly LineFacts<A, R>[]> => {
  const { ports, file, read } = run
  const idOf = await readReferences(run, store, lines)
  return Promise.all(
    file.decode(lines, dayOf(ports.clock.steady()), idOf).map(async (each) => ({
      ...each,
      facts: isLeft(each.fields) ? null : await read(store, each.fields.right),
      exists: exists(each.line),
    })),
  )
}

const resultOf = (lines: readonly ImportedLine[]): Imported => {
  const created = lines.filter(({ id }) => id !== null).length
  return { created, failed: lines.length - created, lines }
}

const withoutIds = ({ lines, ...counts }: Imported): Imported => ({
  ...counts,
  lines: lines.map((each) => ({ ...each, id: null })),
})

/**
 * Creates the records of all lines in one commit, or none if a line is wrong; valid lines then have neither id nor
 * issues.
 * Fails: `import.atomic.too-wide`.
 */
const createAllOrNone = <A, R extends ImportedRecord>(
  run: Run<A, R>,
): UseCase<Imported, 'import.atomic.too-wide' | RunnerCode, never> =>
  useCase(
    run.ports,
    async (store) => {
      const facts: LineFacts<A, R>[] = []
      for (const slice of slicesOf(run.file.lines)) {
        facts.push(...(await readLines(run, store, slice)))
        await run.ports.clock.wait(0)
      }
      return facts
    },
    (facts, fresh) => {
      const { results, changes } = decideLines(facts, run, fresh, () => fresh.uuid())
      if (results.some(({ id }) => id === null)) return accept(resultOf(results.map((each) => ({ ...each, id: null }))))
      if (changes.length + KEY_CHANGES > MAX_CHANGES_PER_COMMIT)
        return left(failure('refused', 'import.atomic.too-wide'))
      return run.isDry ? accept(withoutIds(resultOf(results))) : accept(resultOf(results), ...changes)
    },
  )

/** Decides all lines and stores nothing. */
const checkAll = <A, R extends ImportedRecord>(run: Run<A, R>): UseCase<Imported, RunnerCode, never> =>
  useCaseOf<Imported>()(async (hooks) => {
    const earlier = new Map<string, R>()
    const checked = await eachSlice(run, (slice) =>
      decideAndCommit(
        run.ports,
        (store) => readLines(run, store, slice),
        (facts, fresh) => accept(decideLines(facts, run, fresh, () => fresh.uuid(), earlier).results),
      ),
    )
    return isLeft(checked) ? checked : storeResult(run.ports, withoutIds(checked.right), hooks)
  })

type Outcome<V> = Either<Failure<RunnerCode, never>, V>

/** Decides the slices of a file one after the other; other requests run in between. */
const eachSlice = async <A, R extends ImportedRecord>(
  { file, ports }: Run<A, R>,
  decide: (slice: readonly SheetLine[]) => Promise<Outcome<readonly ImportedLine[]>>,
): Promise<Outcome<Imported>> => {
  const lines: ImportedLine[] = []
  for (const slice of slicesOf(file.lines)) {
    const decided = await decide(slice)
    if (isLeft(decided)) return decided
    addLines(lines, decided.right)
    await ports.clock.wait(0)
  }
  return right(resultOf(lines))
}

/** Adds lines with all their issues, or with one issue each above the limit. */
const addLines = (to: ImportedLine[], results: readonly ImportedLine[]): void => {
  let reported = to.reduce((sum, { issues }) => sum + issues.length, 0)
  for (const { issues, ...each } of results) {
    to.push({ ...each, issues: reported < MAX_REPORTED_ISSUES ? issues : issues.slice(0, 1) })
    reported += issues.length
  }
}

/** The id of a line's record. A resumed import finds the records of the interrupted one by it. */
const lineId = ({ digest }: Pick<RealEstatePorts, 'digest'>, intent: string, line: number): string =>
  uuidFromHash(digest.sha256(`${intent}|${line}`), '8')

const createSlice = <A, R extends ImportedRecord>(run: Run<A, R>, slice: readonly SheetLine[], intent: string) => {
  const { ports, collection, companyId } = run
  const ids = new Map(slice.map(({ line }) => [line, lineId(ports, intent, line)]))
  const idOf = (line: number) => ids.get(line) ?? ''
  return retryWhileBusy(() =>
    decideAndCommit(
      ports,
      async (store) => {
        const existing = await recordsById(store, collection, companyId, [...ids.values()])
        return readLines(run, store, slice, (line) => existing.has(idOf(line)))
      },
      (facts, fresh) => {
        const { results, changes } = decideLines(facts, run, fresh, idOf)
        return accept(results, ...changes)
      },
    ),
  )
}

/** Creates the records of all valid lines, in slices. A repeat with the same key creates only the missing records. */
const createEach = <A, R extends ImportedRecord>(run: Run<A, R>): UseCase<Imported, RunnerCode, never> => {
  const { ports } = run
  const resume =
    (intent: string): UseCase<Imported, RunnerCode, never> =>
    async (hooks) => {
      const imported = await eachSlice(run, (slice) => createSlice(run, slice, intent))
      return finishOperation(
        ports,
        () => null,
        () => accept(imported),
      )(hooks)
    }
  return operationUseCase(
    startOperation(
      ports,
      () => null,
      (_, fresh) => accept({ intent: fresh.uuid() }),
    ),
    ({ intent }) => resume(intent),
    resume,
  )
}

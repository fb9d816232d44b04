import { type Failure, failure, type Issue } from '../../failure.ts'
import { type Either, isLeft, left, right } from '../../fp.ts'
import type { Input } from '../../kernel/input/input.ts'
import type { Decoded } from '../../kernel/input/table.ts'
import type { Change } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import type { Rec } from '../../kernel/records/record.ts'
import { tenantKey } from '../../kernel/resources/facts.ts'
import { recordsById } from '../../kernel/resources/list-queries.ts'
import type { Facts, RecordDecision, Resource, ResourceTypes } from '../../kernel/resources/resource.ts'
import { serialByName } from '../../kernel/running/concurrency.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { retryWhileBusy } from '../../kernel/running/slices.ts'
import {
  accept,
  decideAndCommit,
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
import { uuidFromHash } from '../../kernel/values/encoding.ts'
import { KEY_CHANGES, MAX_CHANGES_PER_COMMIT } from '../../limits.ts'
import type { SheetLine } from '../../ports/sheets.ts'
import { byKey, type Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
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

/** What a file is imported as. */
interface Importable<S extends ImportKind, A> {
  readonly resource: Resource<S>
  /** What makes one by a POST: its fields are the columns, and its rules those of each line. */
  readonly created: Input<Decoded<S['input']>>
  /** Columns that name a record by its CPF or CNPJ too, and the records that have one. */
  readonly references?: { readonly [column in keyof S['input'] & string]?: Referable }
  /** The same decision as that of a POST. */
  readonly create: (
    facts: Facts<S['record']>,
    actor: A,
    sent: Decoded<S['input']>,
    fresh: Fresh,
  ) => Either<Failure<string, string>, RecordDecision<S['record']>>
}

/**
 * Imports a CSV of records of a resource, whose columns and values are those of the API: each line as if it were posted alone,
 * or with `atomic` all of them or none. What is wrong with a line is told by the names of its columns. With `dryRun` nothing is
 * stored, and the lines that would be made have no id.
 * Fails: `fields` (`column.unknown`, `repeated`, `required`: of the columns), `import.malformed`, `import.too-long`,
 * `import.atomic.too-long`, `import.atomic.too-wide`.
 */
export const importOf = <S extends ImportKind, A extends Pick<Actor, 'companyId'>>({
  resource: { collection, spec, readFacts: read },
  created,
  references = {},
  create,
}: Importable<S, A>) => {
  const readFile = fileReader(created, Object.keys(references))
  return (ports: RealEstatePorts) => {
    // Two imports of one company would only be in each other's way.
    const line = serialByName()
    return (actor: A, given: NewImport) =>
      withValidInput(ports, newImport, given, (sent) =>
        useCaseOf<Imported>()((hooks) =>
          line(actor.companyId, async () => {
            const file = await readFile(ports.sheetReader, sent)
            if (isLeft(file)) return file
            const { companyId } = actor
            const run: Run<Decoded<S['input']>, S['record']> = {
              ports,
              companyId,
              file: file.right,
              collection,
              unique: spec.unique ?? [],
              read: (store, said) => read(store, companyId, null, said),
              create: (facts, said, fresh) => create(facts, actor, said, fresh),
              references,
              isDry: sent.dryRun,
              nameOf: file.right.nameOf,
            }
            if (sent.atomic) return allOrNone(run)(hooks)
            return sent.dryRun ? tried(run)(hooks) : oneByOne(run)(hooks)
          }),
        ),
      )
  }
}

/** What became of a line: the id of what was made, or null; then what is wrong with it, by the names of its columns. */
export interface ImportedLine {
  readonly line: number
  readonly id: string | null
  readonly issues: readonly Issue[]
}

/** A line, and what was read of the store for it. */
export interface LineFacts<A, R> extends ImportLine<A> {
  /** Null where nothing is made of it. */
  readonly facts: Facts<R> | null
  /** Whether it was made already, by an earlier call that did not live to tell. */
  readonly isMade: boolean
}

/** How a line becomes a record. */
export interface Making<A, R> {
  readonly unique: readonly string[]
  readonly create: (facts: Facts<R>, sent: A, fresh: Fresh) => Either<Failure<string, string>, RecordDecision<R>>
  /** A path of its issues as a column is called. */
  readonly nameOf: (path: string) => string
}

/** What is made of some lines, each as if it came alone and after those before it. */
export const decideLines = <A, R extends Rec & { readonly id: string }>(
  lines: readonly LineFacts<A, R>[],
  { unique, create, nameOf }: Making<A, R>,
  fresh: Fresh,
  idOf: (line: number) => string,
  /** The records that are made of earlier lines, by what is unique in them. */
  earlier = new Map<string, R>(),
): { readonly made: readonly ImportedLine[]; readonly changes: readonly Change[] } => {
  const made: ImportedLine[] = []
  const changes: Change[] = []
  const keyOf = (field: string, { [field]: text }: Readonly<Record<string, unknown>>) => `${field}|${text}`
  for (const { line, sent, facts, isMade } of lines) {
    if (isLeft(sent)) made.push({ line, id: null, issues: sent.left })
    else if (isMade) made.push({ line, id: idOf(line), issues: [] })
    else if (facts) {
      const taken = unique.flatMap((field) => {
        const holder = earlier.get(keyOf(field, Object(sent.right)))
        return holder ? [[field, holder] as const] : []
      })
      const holders = { ...facts.keyHolders, ...Object.fromEntries(taken) }
      const id = idOf(line)
      const got = create({ ...facts, keyHolders: holders }, sent.right, { ...fresh, uuid: () => id })
      if (isLeft(got)) {
        made.push({ line, id: null, issues: issuesOf(got.left, nameOf) })
        continue
      }
      const { record } = got.right
      made.push({ line, id, issues: [] })
      changes.push(...got.right.changes)
      for (const field of unique) if (record[field] !== null) earlier.set(keyOf(field, record), record)
    }
  }
  return { made, changes: together(changes) }
}

const issuesOf = (failure: Failure<string, string>, nameOf: (path: string) => string): readonly Issue[] =>
  failure.tag === 'invalid' ? failure.issues.map(({ path, ...rest }) => ({ ...rest, path: nameOf(path) })) : []

/** What several lines ask of one record, once: who counts those that point at it counts them all at one time. */
const together = (changes: readonly Change[]): readonly Change[] => {
  const asked = new Map<string, Change>()
  for (const change of changes) {
    const key = askedBy(change)
    const known = asked.get(key)
    asked.set(key, known?.kind === 'patch' && change.kind === 'patch' ? added(known, change) : change)
  }
  return [...asked.values()]
}

/** The same of changes that differ in nothing but how much they add. */
const askedBy = (change: Change): string =>
  JSON.stringify(change.kind === 'insert' ? change.at : { ...change, add: undefined })

type Patch = Extract<Change, { kind: 'patch' }>

const added = (known: Patch, { add = {} }: Patch): Patch => ({
  ...known,
  add: Object.fromEntries(Object.entries(known.add ?? {}).map(([field, by]) => [field, by + (add[field] ?? 0)])),
})

/** Lines of one commit, of a few changes each. */
const LINES_AT_ONCE = 50
/** So much is told of what is wrong; then of each line one thing. More would not fit in the record of a key. */
const MAX_TOLD_ISSUES = 10_000

/** What came of an import. */
export interface Imported {
  readonly created: number
  /** Lines of which nothing was made. */
  readonly failed: number
  /** All lines of the file that say anything, in their order. */
  readonly lines: readonly ImportedLine[]
}

type Any = Rec & { readonly id: string }

/** Records with a document that is unique in their company. */
export type Referable = Collection<Client>

/** The import of one file. */
export interface Run<A, R extends Any> extends Making<A, R> {
  readonly ports: RealEstatePorts
  readonly companyId: string
  readonly file: ImportFile<A>
  readonly collection: Collection<R>
  readonly read: (store: Store, sent: A) => Promise<Facts<R>>
  readonly references: Readonly<Record<string, Referable | undefined>>
  /** Whether the file is only checked. */
  readonly isDry: boolean
}

function* slicesOf(lines: readonly SheetLine[]): Iterable<readonly SheetLine[]> {
  for (let at = 0; at < lines.length; at += LINES_AT_ONCE) yield lines.slice(at, at + LINES_AT_ONCE)
}

/** Finds the records of the company that some lines name by a document. */
const referredIn = async <A, R extends Any>(
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

const readSlice = async <A, R extends Any>(
  run: Run<A, R>,
  store: Store,
  lines: readonly SheetLine[],
  isMade: (line: number) => boolean = () => false,
): Promise<readonly LineFacts<A, R>[]> => {
  const { ports, file, read } = run
  const idOf = await referredIn(run, store, lines)
  return Promise.all(
    file.decode(lines, dayOf(ports.clock.steady()), idOf).map(async (each) => ({
      ...each,
      facts: isLeft(each.sent) ? null : await read(store, each.sent.right),
      isMade: isMade(each.line),
    })),
  )
}

const counted = (lines: readonly ImportedLine[]): Imported => {
  const created = lines.filter(({ id }) => id !== null).length
  return { created, failed: lines.length - created, lines }
}

/** The outcome of a file that is only checked: there is nothing yet that has an id. */
const withoutIds = ({ lines, ...counts }: Imported): Imported => ({
  ...counts,
  lines: lines.map((each) => ({ ...each, id: null })),
})

/**
 * Makes all lines in one commit, or none where one of them is wrong: then those that are right have neither id nor issues.
 * Fails: `import.atomic.too-wide`.
 */
export const allOrNone = <A, R extends Any>(
  run: Run<A, R>,
): UseCase<Imported, 'import.atomic.too-wide' | RunnerCode, never> =>
  useCase(
    run.ports,
    async (store) => {
      const facts: LineFacts<A, R>[] = []
      for (const slice of slicesOf(run.file.lines)) {
        facts.push(...(await readSlice(run, store, slice)))
        await run.ports.clock.wait(0)
      }
      return facts
    },
    (facts, fresh) => {
      const { made, changes } = decideLines(facts, run, fresh, () => fresh.uuid())
      if (made.some(({ id }) => id === null)) return accept(counted(made.map((each) => ({ ...each, id: null }))))
      if (changes.length + KEY_CHANGES > MAX_CHANGES_PER_COMMIT)
        return left(failure('refused', 'import.atomic.too-wide'))
      return run.isDry ? accept(withoutIds(counted(made))) : accept(counted(made), ...changes)
    },
  )

/** Decides each line as `oneByOne` does, and stores nothing. */
export const tried = <A, R extends Any>(run: Run<A, R>): UseCase<Imported, RunnerCode, never> =>
  useCaseOf<Imported>()(async (hooks) => {
    const { ports } = run
    const lines: ImportedLine[] = []
    const earlier = new Map<string, R>()
    for (const slice of slicesOf(run.file.lines)) {
      const made = await decideAndCommit(
        ports,
        (store) => readSlice(run, store, slice),
        (facts, fresh) => accept(decideLines(facts, run, fresh, () => fresh.uuid(), earlier).made),
      )
      if (isLeft(made)) return made
      addLines(lines, made.right)
      await ports.clock.wait(0)
    }
    return decideAndCommit(
      ports,
      () => null,
      () => accept(withoutIds(counted(lines))),
      hooks?.completed,
    )
  })

/** Adds lines with all their issues, or with one each when so many were told that more do not fit in the record of a key. */
const addLines = (to: ImportedLine[], made: readonly ImportedLine[]): void => {
  let told = to.reduce((sum, { issues }) => sum + issues.length, 0)
  for (const { issues, ...each } of made) {
    to.push({ ...each, issues: told < MAX_TOLD_ISSUES ? issues : issues.slice(0, 1) })
    told += issues.length
  }
}

/** The id of what a line makes: of an import that is carried on, that which was made before is found by it. */
const lineId = ({ digest }: Pick<RealEstatePorts, 'digest'>, intent: string, line: number): string =>
  uuidFromHash(digest.sha256(`${intent}|${line}`), '8')

/** Makes the lines of a slice. */
const makeSlice = <A, R extends Any>(run: Run<A, R>, slice: readonly SheetLine[], intent: string) => {
  const { ports, collection, companyId } = run
  const ids = new Map(slice.map(({ line }) => [line, lineId(ports, intent, line)]))
  const idOf = (line: number) => ids.get(line) ?? ''
  return retryWhileBusy(() =>
    decideAndCommit(
      ports,
      async (store) => {
        const made = await recordsById(store, collection, companyId, [...ids.values()])
        return readSlice(run, store, slice, (line) => made.has(idOf(line)))
      },
      (facts, fresh) => {
        const { made, changes } = decideLines(facts, run, fresh, idOf)
        return accept(made, ...changes)
      },
    ),
  )
}

const makeAll = async <A, R extends Any>(
  run: Run<A, R>,
  intent: string,
): Promise<Either<Failure<RunnerCode, never>, Imported>> => {
  const lines: ImportedLine[] = []
  for (const slice of slicesOf(run.file.lines)) {
    const made = await makeSlice(run, slice, intent)
    if (isLeft(made)) return made
    addLines(lines, made.right)
    // Lets other requests run.
    await run.ports.clock.wait(0)
  }
  return right(counted(lines))
}

/** Makes each line that is right, in slices: what is made stays made, and is not made again by the same key. */
export const oneByOne = <A, R extends Any>(run: Run<A, R>): UseCase<Imported, RunnerCode, never> => {
  const { ports } = run
  const carryOn =
    (intent: string): UseCase<Imported, RunnerCode, never> =>
    async (hooks) => {
      const made = await makeAll(run, intent)
      return finishOperation(
        ports,
        () => null,
        () => accept(made),
      )(hooks)
    }
  return operationUseCase(
    startOperation(
      ports,
      () => null,
      (_, fresh) => accept({ intent: fresh.uuid() }),
    ),
    ({ intent }) => carryOn(intent),
    carryOn,
  )
}

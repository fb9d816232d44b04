import type { Failure, Issue } from '../../failure.ts'
import { type Either, isLeft } from '../../fp.ts'
import type { Change } from '../../kernel/records/change.ts'
import type { Rec } from '../../kernel/records/record.ts'
import type { Facts, RecordDecision } from '../../kernel/resources/resource.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import type { ImportLine } from './read-file.ts'

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

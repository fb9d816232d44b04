import { isLeft, right } from '../../../core/fp.ts'
import { type Failure, failure, invalid } from '../../../core/failure.ts'
import { namesOf } from '../../../core/kernel/input/body.ts'
import type { Day } from '../../../core/kernel/values/day.ts'
import type { ReadBody } from '../bodies/body.ts'
import type { AnyDoor } from '../house.ts'
import type { Claim, Keys, Standing } from '../keys.ts'
import type { AnyRow, Call, Input, Stage } from '../row.ts'
import type { Encoded } from './answer.ts'
import type { Asked, Context } from './asked.ts'

/** A request on its way: what its stages have found out so far. */
export interface Turn {
  readonly ctx: Context
  readonly asked: Asked
  principal: unknown
  record: unknown
  /** The parsed body as it came, null where there was none. */
  body: unknown
  input: Input<unknown, unknown>
  key: { readonly claim: Claim; readonly standing: Standing } | null
}

/** Ends the request, or null: on to the next stage. */
export type Stop = Failure | Encoded | null
export type Step = (turn: Turn) => Stop | Promise<Stop>

const NO_RECORD = failure('not-found', 'record.missing')

export const throttleStep =
  (row: AnyRow, core: unknown): Step =>
  async (turn) => {
    const may = await row.throttle?.(callOf(core, turn))()
    return may && isLeft(may) ? may.left : null
  }

export const authenticate =
  (door: AnyDoor): Step =>
  async (turn) => {
    const whom = await door.authenticate(turn.asked)
    if (isLeft(whom)) return whom.left
    turn.principal = whom.right
    return null
  }

export const readBody =
  (read: ReadBody): Step =>
  async (turn) => {
    const body = await read(turn.ctx)
    if (isLeft(body)) return body.left
    turn.body = body.right
    return null
  }

/** What a row is called with. */
export const callOf = (core: unknown, { principal, record, asked }: Turn): Call<unknown, unknown, unknown> => ({
  core,
  actor: principal,
  record,
  asked,
})

interface Parts {
  readonly core: unknown
  readonly door: AnyDoor
  readonly keys: Keys
  /** Where a row's name is unique: the app. */
  readonly app: string
  readonly isKeyed: boolean
  /** What day it is, for the rules that ask. */
  readonly today: () => Day
}

/** The stages that a row has, by name; those that it has no use for are absent. */
export const stepsOf = (row: AnyRow, parts: Parts): { readonly [stage in Stage]: Step | null } => ({
  context: contextStep(parts.door),
  permission: permissionStep(row, parts.door),
  key: parts.isKeyed ? keyStep(row, parts) : null,
  standing: standingStep(row, parts.door),
  record: recordStep(row, parts.core),
  gate: gateStep(row, parts.core),
  input: inputStep(row, parts.today),
})

const contextStep = (door: AnyDoor): Step | null =>
  door.context
    ? async (turn) => {
        const principal = await door.context?.(turn.principal, turn.asked)
        if (!principal) return null
        if (isLeft(principal)) return principal.left
        turn.principal = principal.right
        return null
      }
    : null

const permissionStep = ({ permission }: AnyRow, door: AnyDoor): Step | null =>
  permission === undefined ? null : (turn) => door.permits?.(turn.principal, permission) ?? null

const keyStep = (row: AnyRow, { door, keys, app }: Parts): Step => {
  const known = namesOf(row.input.query?.fields ?? {})
  return async (turn) => {
    const { asked } = turn
    const key = asked.method === 'POST' ? asked.header('idempotency-key') : null
    if (key === null || !door.keyScope) return null
    const scope = [app, door.keyScope(turn.principal, asked, row.name)]
    // What the row does not know of a query is ignored here, too.
    const query = Object.fromEntries(Object.entries(asked.query).filter(([name]) => known.has(name)))
    const claim = keys.claim(scope, key, { params: asked.params, query, body: turn.body })
    if ('tag' in claim) return claim
    const standing = await keys.look(claim)
    if (standing.is === 'done') return standing.answer
    if (standing.is === 'refused') return standing.failure
    if (standing.is === 'running' || (standing.is === 'abandoned' && !row.resume)) return keys.running
    turn.key = { claim, standing }
    return null
  }
}

const standingStep = (row: AnyRow, door: AnyDoor): Step | null => {
  const applies = row.standing ?? row.methods.some((method) => method !== 'GET')
  return applies && door.standing ? (turn) => door.standing?.(turn.principal) ?? null : null
}

const recordStep = (row: AnyRow, core: unknown): Step | null =>
  row.record
    ? async (turn) => {
        turn.record = await row.record?.(callOf(core, turn))
        return turn.record === null ? NO_RECORD : null
      }
    : null

const gateStep = (row: AnyRow, core: unknown): Step | null =>
  row.gate
    ? async (turn) => {
        const passed = await row.gate?.pass(callOf(core, turn), turn.body)()
        return passed && isLeft(passed) ? passed.left : null
      }
    : null

const NOTHING = right(null)

const inputStep =
  ({ input }: AnyRow, today: () => Day): Step =>
  (turn) => {
    const query = input.query ? input.query.decode(turn.asked.query, today()) : NOTHING
    const body = input.body ? input.body.decode(turn.body ?? {}, today()) : NOTHING
    const issues = [query, body].flatMap((read) => (isLeft(read) ? read.left : []))
    if (isLeft(query) || isLeft(body)) return invalid(issues)
    turn.input = { query: query.right, body: body.right }
    return null
  }

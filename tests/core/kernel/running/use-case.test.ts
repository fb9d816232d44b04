import test from 'ava'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { seededRandom } from '../../../../adapters/crypto/random.ts'
import { type Failure, failure, isLeft, issue, left, right } from '../../../../core/failure.ts'
import { input, rule } from '../../../../core/kernel/input/input.ts'
import { day } from '../../../../core/kernel/input/scalars.ts'
import { always, type Change, type CommitHook, type Outcome } from '../../../../core/kernel/records/record.ts'
import { idPool } from '../../../../core/kernel/running/ids.ts'
import {
  accept,
  type Fresh,
  finishOperation,
  type KeyHooks,
  operationUseCase,
  type RunnerCode,
  type Runtime,
  startOperation,
  unavailable,
  useCase,
  withoutKeys,
  withValidInput,
} from '../../../../core/kernel/running/use-case.ts'
import { type Store, StoreUnavailable } from '../../../../core/ports/store.ts'

const TAKEN: Outcome = { ok: true, taken: () => 7 }
const STALE: Outcome = { ok: false, stale: ['things', 1] }
const change: Change = { kind: 'remove', at: ['things', 1], when: always }
const mark = (id: string): Change => ({ kind: 'remove', at: ['marks', id], when: always })

/** A runtime whose store answers commits from a script, and keeps what it was told. */
const scripted = (...outcomes: readonly (Outcome | Error)[]) => {
  const commits: (readonly Change[])[] = []
  let reserved = 0
  const store = {
    commit: async (changes: readonly Change[], hooks?: CommitHook) => {
      const outcome = outcomes[commits.length] ?? TAKEN
      if (outcome instanceof Error) throw outcome
      const riding = outcome.ok && hooks ? hooks(outcome.taken) : []
      commits.push([...changes, ...riding])
      return outcome
    },
    reserve: async (_name: string, count: number) => {
      reserved += count
      return reserved - count + 1
    },
    returnIds: async () => {},
  } as Partial<Store> as Store
  const clock = setClock('2026-11-21T13:00:00.000Z')
  const runtime: Runtime = {
    store,
    clock: { ...clock, wait: async () => {} },
    random: seededRandom(1),
    ids: idPool(store),
  }
  return { runtime, commits }
}

const hooks: KeyHooks<number> = {
  completed: (value) => [mark(`whole ${value}`)],
  started: (intent) => [mark(`begun ${intent}`)],
  succeeded: (value) => [mark(`done ${value}`)],
  refused: () => [mark('freed')],
  unresolved: () => [mark('unanswered')],
}

const nothing = () => null

test("the value and the hook's changes use the fields taken at the moment of commit", async (t) => {
  const { runtime, commits } = scripted()
  const answer = await useCase(runtime, nothing, () => accept((taken) => Number(taken(['things', 1], 'n')), change))(
    hooks,
  )
  t.deepEqual(answer, right(7))
  t.deepEqual(commits, [[change, mark('whole 7')]])
})

test('without changes there is no commit; changes of a hook alone are committed', async (t) => {
  const { runtime, commits } = scripted()
  const idle = useCase(runtime, nothing, () => accept(7))
  const values: number[] = []
  const looking = (value: number) => {
    values.push(value)
    return []
  }
  t.deepEqual(
    await idle({ completed: looking, started: () => [], succeeded: looking, refused: () => [], unresolved: () => [] }),
    right(7),
  )
  t.deepEqual([values, commits], [[7], []])
  t.deepEqual(await idle(hooks), right(7))
  t.deepEqual(commits, [[mark('whole 7')]])
})

test('a hook that throws prevents the commit, and nothing is retried', async (t) => {
  for (const changes of [[], [change]]) {
    const { runtime, commits } = scripted()
    let rides = 0
    const whole = (): never => {
      rides += 1
      throw new TypeError('no words')
    }
    const saying = useCase(runtime, nothing, () => accept(7, ...changes))
    await t.throwsAsync(saying({ ...hooks, completed: whole }), { message: 'no words' })
    t.deepEqual([rides, commits], [1, []])
  }
})

test('a late hook without other changes fails with key.conflict', async (t) => {
  const { runtime, commits } = scripted({ ok: false, conflict: { collection: 'marks', key: 'id' } })
  const idle = useCase(runtime, nothing, () => accept(1))
  t.deepEqual(await idle(hooks), left(failure('conflict', 'key.conflict')))
  t.is(commits.length, 1)
})

test('a failed decision commits nothing', async (t) => {
  const { runtime, commits } = scripted()
  const no: Failure = failure('refused', 'no')
  t.deepEqual(await useCase(runtime, nothing, () => left(no))(hooks), left(no))
  t.deepEqual(commits, [])
})

test('a failed guard causes another read and decision, at most five, then store.busy', async (t) => {
  const twice = scripted(STALE, { ok: false, conflict: { collection: 'things', key: 'k' } })
  let reads = 0
  const count = () => {
    reads += 1
  }
  t.deepEqual(await useCase(twice.runtime, count, () => accept('done', change))(), right('done'))
  t.is(reads, 3)

  const always = scripted(STALE, STALE, STALE, STALE, STALE, STALE)
  const answer = await useCase(always.runtime, count, () => accept('done', change))()
  t.deepEqual(answer, left({ tag: 'unavailable', code: 'store.busy', retryAfterSeconds: 2 }))
  t.is(always.commits.length, 5)
})

test("a conflict of the hook's key is not decided again", async (t) => {
  const { runtime, commits } = scripted({ ok: false, conflict: { collection: 'marks', key: 'id' } })
  const answer = await useCase(runtime, nothing, () => accept(1, change))(hooks)
  t.deepEqual(answer, left(failure('conflict', 'key.conflict')))
  t.is(commits.length, 1)
})

test('every attempt gets the same draws, and ids are reserved as needed', async (t) => {
  const { runtime } = scripted(STALE, STALE)
  const seen: unknown[] = []
  const draw = (fresh: Fresh) => [
    fresh.now,
    fresh.id({ name: 'a' }),
    fresh.id({ name: 'a' }),
    fresh.uuid(),
    fresh.text('xyz', 9),
  ]
  await useCase(runtime, nothing, (_, fresh) => {
    const draws = draw(fresh)
    seen.push(draws)
    return accept(null, change)
  })()
  t.is(seen.length, 3)
  t.deepEqual(seen[1], seen[0])
  t.deepEqual(seen[2], seen[0])
  const [, first, second, uuid, text] = seen[0] as [string, number, number, string, string]
  t.deepEqual([first, second], [1, 2])
  t.regex(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  t.regex(text, /^[xyz]{9}$/)
})

test('an unavailable store is a failure; any other error is thrown', async (t) => {
  const away = scripted(new StoreUnavailable('away'))
  const answer = await useCase(away.runtime, nothing, () => accept(1, change))()
  t.deepEqual(answer, left({ tag: 'unavailable', code: 'store.unavailable', retryAfterSeconds: 2 }))
  const broken = scripted(new TypeError('broken'))
  await t.throwsAsync(useCase(broken.runtime, nothing, () => accept(1, change))(), { message: 'broken' })
})

test('an intent is committed with the running key, and its outcome completes or frees the key', async (t) => {
  const ends = async (value: ReturnType<typeof right<number>> | ReturnType<typeof left<Failure>>) => {
    const { runtime, commits } = scripted()
    const first = startOperation(runtime, nothing, () => accept({ intent: 'i1' }, change))
    const rest = (id: string) => finishOperation(runtime, nothing, () => accept(id === 'i1' ? value : right(0), change))
    const answer = await operationUseCase(first, ({ intent }) => rest(intent), rest)(hooks)
    t.deepEqual(answer, value)
    return commits.map((each) => each.at(-1))
  }
  t.deepEqual(await ends(right(3)), [mark('begun i1'), mark('done 3')])
  t.deepEqual(await ends(left(failure('refused', 'no'))), [mark('begun i1'), mark('freed')])
  t.deepEqual(await ends(left(unavailable('bank.unavailable'))), [mark('begun i1'), mark('unanswered')])
})

test('an operation of an earlier call is resumed, and none is started', async (t) => {
  const { runtime, commits } = scripted()
  const first = startOperation(runtime, nothing, () => accept({ intent: 'i2' }, change))
  const rest = (asking: string) => (id: string) =>
    finishOperation(runtime, nothing, () => accept(right(`${asking} ${id}`), change))
  const resuming: KeyHooks<string> = {
    completed: () => [],
    started: (intent) => [mark(`begun ${intent}`)],
    succeeded: (value) => [mark(`done ${value}`)],
    refused: () => [mark('freed')],
    unresolved: () => [mark('unanswered')],
    resume: { intent: 'i1', startedAt: '2026-11-21T12:00:00.000Z' },
  }
  t.deepEqual(
    await operationUseCase(first, ({ intent }) => rest('first')(intent), rest('again'))(resuming),
    right('again i1'),
  )
  t.deepEqual(commits, [[change, mark('done again i1')]])
})

test('a use case without keys ignores hooks and cannot fail with key.conflict', async (t) => {
  const { runtime, commits } = scripted()
  const looking = withoutKeys(useCase(runtime, nothing, () => accept(7)))
  const code: Exclude<RunnerCode, 'key.conflict'> | null = await looking(hooks).then((outcome) =>
    isLeft(outcome) ? outcome.left.code : null,
  )
  t.is(code, null)
  t.deepEqual(commits, [])
})

const NOT_PAST = rule<{ readonly dueDate: string }, 'dueDate', 'day.past'>(['dueDate'], ({ dueDate }, today) =>
  today !== null && dueDate < today ? [issue('dueDate', 'day.past')] : [],
)
const bill = input('Bill', { dueDate: day() }, NOT_PAST)
const clock = { steady: () => '2026-12-01T03:00:00.000Z' }
const issueBill = (dueDate: string) => withValidInput({ clock }, bill, { dueDate }, (given) => async () => right(given))

const keyHooks: KeyHooks<unknown> = {
  completed: () => [],
  started: () => [],
  succeeded: () => [],
  refused: () => [],
  unresolved: () => [],
}
const PAST = left({ tag: 'invalid', code: 'fields', issues: [issue('dueDate', 'day.past')] })

test('input is validated as of the day of the call', async (t) => {
  t.deepEqual(await issueBill('2026-12-01')(), right({ dueDate: '2026-12-01' }))
  t.deepEqual(await issueBill('2026-11-30')(), PAST)
  t.deepEqual(await issueBill('2026-11-30')(keyHooks), PAST)
})

test('a resumed operation is validated as of its start', async (t) => {
  const startedAt = (startedAt: string) => ({ ...keyHooks, resume: { intent: 'i1', startedAt } })
  t.deepEqual(await issueBill('2026-11-30')(startedAt('2026-12-01T02:59:59.999Z')), right({ dueDate: '2026-11-30' }))
  t.deepEqual(await issueBill('2026-11-30')(startedAt('2026-12-01T03:00:00.000Z')), PAST)
})

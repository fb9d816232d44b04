import test, { type ExecutionContext } from 'ava'
import { given } from '../given.ts'
import type { TestApi } from '../payments/test-api.ts'
import { dumpOf, writtenBetween } from './dump.ts'
import { openRows } from './open-rows.ts'
import { askAt, type Place, type Prepared, placeOf, placesOf, prepare, rows } from './places.ts'
import { accountOf, changeMembership, teamMember } from './principals.ts'
import type { Reply } from './wire.ts'

const closed = rows.filter(({ auth }) => auth !== 'public')

/** Who may what. Source: decisions.md §1, Roles and permissions; §12, Roles. */
const EVERYBODY = [1, 2, 3, 4, 5]
const SELLERS = [1, 2, 3, 5]
const MAY: Readonly<Record<string, readonly number[]>> = {
  'account:write': [1],
  'users:read': [1, 2, 4],
  'users:write': [1],
  'clients:read': EVERYBODY,
  'clients:write': SELLERS,
  'charges:read': EVERYBODY,
  'charges:write': SELLERS,
  'links:read': EVERYBODY,
  'links:write': SELLERS,
  'statements:read': EVERYBODY,
  'withdrawals:read': [1, 2, 4, 5],
  'withdrawals:write': [1, 2, 5],
}
/** Beside the five, one that no table names: it may nothing. */
const ROLES = [...EVERYBODY, 9]

/** How the doors refuse an account that is not the caller's; null for those that look at none. */
interface Refusal {
  readonly status: number
  readonly message: string
  readonly code: string
}

const FOREIGN: Readonly<Record<string, Refusal | null>> = {
  session: null,
  anySession: null,
  refresh: null,
  pathOrganization: null,
  organization: { status: 404, message: 'Organização não encontrada.', code: 'organization.unknown' },
  account: { status: 403, message: 'Conta não pertence ao usuário.', code: 'account.foreign' },
}

/** By which fixture another tenant's value of a reference is made; null where there is nothing to refer to yet. */
const REFERENCES: Readonly<Record<string, string | null>> = {
  client_id: 'client',
  tag_id: null,
  establishment_id: null,
  charge_group_id: null,
  payment_plan_id: null,
}
/** What is named like a reference, and is a word of a list or somebody else's. */
const NO_REFERENCES = new Set(['status_id', 'type_id', 'type_ids', 'end_to_end_id', 'register_id', 'bank_id'])

/** Ids that nothing has, and texts that are none. */
const NO_IDS = ['999999999', '0', '-1', '1.0', '1e0', '１', 'abc', '9'.repeat(400), '[$ne]', '{"$gt":""}', "' OR 1=1--"]

const failureOf = (status: number, message: string, code: string) => ({
  status,
  body: { code: status, success: false, message, error_code: code },
})
const seen = ({ status, body }: Reply) => ({ status, body })
const as = (sent: Prepared, token: string): Prepared => ({ ...sent, token })

const writesNothing = async (t: ExecutionContext, api: TestApi, act: () => Promise<void>) => {
  const before = await dumpOf(api)
  await act()
  t.deepEqual(writtenBetween(before, await dumpOf(api)), [])
}

test('the tables of these tests name every door and every permission', (t) => {
  t.deepEqual(
    closed.map(({ auth }) => auth).filter((auth) => !Object.hasOwn(FOREIGN, auth)),
    [],
  )
  t.deepEqual(
    closed.flatMap(({ permission = 'users:read' }) => (Object.hasOwn(MAY, permission) ? [] : [permission])),
    [],
  )
})

for (const row of closed.filter(({ permission }) => permission !== undefined))
  test.serial(`${row.name} is 403 for the roles that lack ${row.permission}, and for those alone`, async (t) => {
    const api = await openRows(t)
    const sent = await prepare(api, placeOf(row))
    const { id } = await accountOf(api, sent.token ?? '')
    const may = MAY[row.permission ?? ''] ?? []
    // Who may comes last: afterwards there may be nothing any more that others could be refused.
    for (const role of ROLES.toSorted((a, b) => Number(may.includes(a)) - Number(may.includes(b)))) {
      const member = as(sent, await teamMember(api, id, role))
      if (may.includes(role)) {
        t.not((await askAt(api, placeOf(row), member)).status, 403, `role ${role}`)
        continue
      }
      await writesNothing(t, api, async () => {
        for (const place of placesOf(row)) {
          const refused = seen(await askAt(api, place, member))
          t.deepEqual(
            refused,
            failureOf(403, 'Permissão insuficiente.', 'permission.lacking'),
            `${place.path}, role ${role}`,
          )
        }
      })
    }
  })

for (const row of closed.filter(({ record, paths }) => record && paths.some((path) => path.includes(':'))))
  test.serial(`${row.name} is 404 for another tenant's record, word for word as for one that never was`, async (t) => {
    const api = await openRows(t)
    const [mine, theirs] = [await prepare(api, placeOf(row)), await prepare(api, placeOf(row))]
    await writesNothing(t, api, async () => {
      for (const place of placesOf(row)) {
        const foreign = seen(await askAt(api, place, { ...mine, params: theirs.params }))
        t.is(foreign.status, 404, place.path)
        for (const id of NO_IDS) {
          const params = Object.fromEntries(Object.keys(mine.params).map((name) => [name, id]))
          t.deepEqual(seen(await askAt(api, place, { ...mine, params })), foreign, `${place.path} ${id}`)
        }
      }
    })
  })

interface Named {
  readonly id: number
  readonly uuid: string
}

const headersNaming = (account: Named) => [
  { 'x-account-id': `${account.id}` },
  { account: `${account.id}` },
  { 'x-organization-id': account.uuid },
  { organization: account.uuid.toUpperCase() },
]

const NO_ACCOUNTS = NO_IDS.filter((id) => /^[ -~]+$/.test(id)).flatMap((id) => [
  { 'x-account-id': id },
  { 'x-organization-id': id },
])

for (const row of closed)
  test.serial(`${row.name}: a header that names another tenant's account opens nothing`, async (t) => {
    const api = await openRows(t)
    const [mine, theirs] = [await prepare(api, placeOf(row)), await prepare(api, placeOf(row))]
    const foreign = FOREIGN[row.auth]
    if (!foreign) {
      const { token: stranger = '' } = (await given.organization?.(api)) ?? {}
      await looksAway(t, api, placeOf(row), await accountOf(api, stranger))
      return
    }
    const account = await accountOf(api, theirs.token ?? '')
    await writesNothing(t, api, async () => {
      for (const place of placesOf(row)) {
        for (const headers of [...headersNaming(account), ...NO_ACCOUNTS]) {
          for (const sent of [mine, as(theirs, mine.token ?? '')]) {
            const refused = seen(await askAt(api, place, sent, { headers }))
            t.deepEqual(refused, failureOf(foreign.status, foreign.message, foreign.code), JSON.stringify(headers))
          }
        }
      }
    })
    for (const kind of headersNaming(account).keys()) {
      const own = await prepare(api, placeOf(row))
      const headers = headersNaming(await accountOf(api, own.token ?? ''))[kind] ?? {}
      t.is((await askAt(api, placeOf(row), own, { headers })).status, row.reply.doc.status, JSON.stringify(headers))
    }
  })

/** A door that looks at no account answers as if nothing were named. */
const looksAway = async (t: ExecutionContext, api: TestApi, place: Place, account: Named) => {
  for (const headers of headersNaming(account)) {
    const sent = await prepare(api, place)
    const answer = await askAt(api, place, sent, { headers })
    t.is(answer.status, place.row.reply.doc.status, JSON.stringify(headers))
    if (place.method === 'GET') t.deepEqual(answer.body, (await askAt(api, place, sent)).body)
  }
}

const fieldsOf = ({ input }: (typeof rows)[number]) => ({
  body: input.body?.fields ?? {},
  query: input.query?.fields ?? {},
})

test('every reference to a record is known to these tests', (t) => {
  const names = rows.flatMap((row) => Object.values(fieldsOf(row)).flatMap(Object.keys))
  t.deepEqual(
    names.filter((name) => /(^|_)ids?$/.test(name) && !Object.hasOwn(REFERENCES, name) && !NO_REFERENCES.has(name)),
    [],
  )
})

for (const row of closed)
  for (const [part, fields] of Object.entries(fieldsOf(row)))
    for (const name of Object.keys(fields).filter((each) => REFERENCES[each]))
      test.serial(
        `${row.name}: another tenant's ${name} in the ${part} is as absent as one that never was`,
        async (t) => {
          const api = await openRows(t)
          const place = placeOf(row)
          const sent = await prepare(api, place)
          const { params = {} } = (await given[REFERENCES[name] ?? '']?.(api)) ?? {}
          const naming = (id: string): Prepared =>
            part === 'query'
              ? { ...sent, query: { ...sent.query, [name]: id } }
              : { ...sent, body: { ...sent.body, [name]: Number(id) } }
          await writesNothing(t, api, async () => {
            const foreign = seen(await askAt(api, place, naming(params.id ?? '')))
            t.deepEqual(foreign, seen(await askAt(api, place, naming('999999999'))))
            if (part === 'body') t.deepEqual(Object.keys(foreign.body.errors), [name])
          })
        },
      )

for (const row of closed) {
  const foreign = FOREIGN[row.auth]
  if (!foreign) continue
  test.serial(`${row.name}: a lesser role and a blocked membership count from the next request`, async (t) => {
    const api = await openRows(t)
    const sent = await prepare(api, placeOf(row))
    const token = sent.token ?? ''
    const named = { 'x-account-id': `${(await accountOf(api, token)).id}` }
    if (row.permission) {
      await changeMembership(api, token, { roleId: 9 })
      t.is((await askAt(api, placeOf(row), sent)).status, 403)
    }
    await changeMembership(api, token, { status: 0 })
    await writesNothing(t, api, async () => {
      t.deepEqual(
        seen(await askAt(api, placeOf(row), sent)),
        failureOf(404, 'Nenhuma organização encontrada.', 'organization.none'),
      )
      t.deepEqual(
        seen(await askAt(api, placeOf(row), sent, { headers: named })),
        failureOf(foreign.status, foreign.message, foreign.code),
      )
    })
  })
}

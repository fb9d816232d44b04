import test, { type ExecutionContext } from 'ava'
import type { AnyRow } from '../../../../apps/http/rows/row.ts'
import { some } from '../../../size.ts'
import { askAt, type Place, type Prepared, placeOf, placesOf } from '../../rows/places.ts'
import { onEachEntryPoint } from '../../rows/sampling.ts'
import { NO_IDS, tenantsSuite } from '../../rows/tenants.ts'
import type { Reply } from '../../rows/wire.ts'
import { given } from '../given/given.ts'
import type { TestApi } from '../test-api.ts'
import { failureOf, paymentsRows } from './payments-rows.ts'
import { accountOf, changeMembership } from './principals.ts'

tenantsSuite(paymentsRows)

const { closed, restricted: fewMay, open, prepare, references, writesNothing } = paymentsRows

/** The reply of each auth scheme to another's account; null for schemes without an account. */
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

const refusal = ({ status, message, code }: Refusal) => ({ status, body: failureOf(status, message, code) })
const withHint = ({ status, body }: ReturnType<typeof refusal>) => ({
  status,
  body: { ...body, hint: 'Crie uma com POST /v1/organizations.' },
})
const seen = ({ status, body }: Reply) => ({ status, body })

test('the table of refusals names every auth scheme', (t) => {
  t.deepEqual(
    closed.map(({ auth }) => auth).filter((auth) => !Object.hasOwn(FOREIGN, auth)),
    [],
  )
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

/** Headers that name no account. */
const NO_ACCOUNTS = [...references.unknownIds, ...NO_IDS]
  .filter((id) => /^[ -~]+$/.test(id))
  .flatMap((id) => [{ 'x-account-id': id }, { 'x-organization-id': id }])

onEachEntryPoint('headers that name accounts', closed, (row) =>
  test.serial(`${row.name} rejects or ignores a header that names another tenant's account`, async (t) => {
    const api = await open(t)
    const foreign = FOREIGN[row.auth]
    if (foreign) await refusesOthers(t, api, row, foreign)
    else {
      const { token: stranger = '' } = (await given.organization?.(api)) ?? {}
      await ignoresHeaders(t, api, placeOf(row), await accountOf(api, stranger))
    }
  }),
)

const refusesOthers = async (t: ExecutionContext, api: TestApi, row: AnyRow, foreign: Refusal) => {
  const [mine, theirs] = [await prepare(api, placeOf(row)), await prepare(api, placeOf(row))]
  const account = await accountOf(api, theirs.token ?? '')
  const asking: readonly Prepared[] = [mine, { ...theirs, ...(mine.token ? { token: mine.token } : {}) }]
  await writesNothing(t, api, async () => {
    for (const place of placesOf(row))
      for (const headers of [...headersNaming(account), ...some(NO_ACCOUNTS, 4)])
        for (const sent of asking)
          t.deepEqual(seen(await askAt(api, place, sent, { headers })), refusal(foreign), JSON.stringify(headers))
  })
  if (fewMay?.has(row.name)) return
  for (const kind of headersNaming(account).keys()) {
    const own = await prepare(api, placeOf(row))
    const headers = headersNaming(await accountOf(api, own.token ?? ''))[kind] ?? {}
    t.is((await askAt(api, placeOf(row), own, { headers })).status, row.reply.doc.status, JSON.stringify(headers))
  }
}

/** Asserts that a row without an account ignores the headers. */
const ignoresHeaders = async (t: ExecutionContext, api: TestApi, place: Place, account: Named) => {
  for (const headers of headersNaming(account)) {
    const sent = await prepare(api, place)
    const answer = await askAt(api, place, sent, { headers })
    t.is(answer.status, place.row.reply.doc.status, JSON.stringify(headers))
    if (place.method === 'GET') t.deepEqual(answer.body, (await askAt(api, place, sent)).body)
  }
}

const blocking = (row: AnyRow, foreign: Refusal): void => {
  test.serial(`${row.name} applies a lesser role and a blocked membership from the next request`, async (t) => {
    const api = await open(t)
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
        withHint(refusal({ status: 404, message: 'Nenhuma organização encontrada.', code: 'organization.none' })),
      )
      t.deepEqual(seen(await askAt(api, placeOf(row), sent, { headers: named })), refusal(foreign))
    })
  })
}

onEachEntryPoint(
  'memberships that change',
  closed.filter(({ auth }) => FOREIGN[auth]),
  (row) => {
    const foreign = FOREIGN[row.auth]
    if (foreign) blocking(row, foreign)
  },
)

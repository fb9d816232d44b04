import type { ExecutionContext } from 'ava'
import { isLeft } from '../../../../core/failure.ts'
import { type Payments, payments } from '../../../../core/payments/payments.ts'
import { ADMIN, MANAGER } from '../../../../core/payments/payments-ports.ts'
import { realEstate } from '../../../../core/real-estate/real-estate.ts'
import { codeOf, openAgency } from '../../real-estate/world.ts'
import type { TwoStores } from '../two-stores.ts'
import { anyDocument, anyEmail, ORIGIN, openPayments, PASSWORD, right } from '../world.ts'

const UNNAMED = { account: null, organization: null }

/** Returns the role with which a token or an API key acts in its newest account, or the code of the failure. */
const roleAt = async (pay: Payments, token: string) => {
  const caller = await pay.sessions.authenticate(token, ORIGIN)()
  if (isLeft(caller)) return caller.left.code
  const member = await pay.access.resolveAccount(caller.right, UNNAMED, 'v1')()
  return isLeft(member) ? member.left.code : member.right.roleId
}

/** A session that begins in one process and is used in both. */
const logIn = async (pay: Payments, email: string, password = PASSWORD) => {
  const { accessToken } = right(await pay.sessions.logIn({ email, password, guarded: true }, ORIGIN)())
  return accessToken
}

/**
 * Asserts that a change of access in one process counts in the other from its next request on, although both have just
 * answered the same caller: an ended session, a replaced token, a new role, a membership that pauses and ends, a
 * revoked API key.
 */
export const assertAccessEnds = async (t: ExecutionContext, [store, other]: TwoStores): Promise<void> => {
  const world = openPayments({ store })
  const second = payments({ ...world.ports, store: other })
  for (const [here, there] of [
    [world.pay, second],
    [second, world.pay],
  ] as const) {
    const { member } = await world.merchant({ email: anyEmail() })
    const bia = { name: 'Bia', email: anyEmail(), phone: null, password: PASSWORD, document: anyDocument() }
    const { id } = right(await here.team.add(member, { ...bia, roleId: ADMIN.id })()).user
    let token = await logIn(here, bia.email)
    const callerAt = async (pay: Payments) => right(await pay.sessions.authenticate(token, ORIGIN)())
    /** Changes something here, after both have answered the token, and asserts what the next request gets there. */
    const after = async (what: string, change: () => Promise<unknown>, expected: number | string, of = token) => {
      for (const pay of [here, there]) await roleAt(pay, of)
      await change()
      t.deepEqual(await roleAt(there, of), expected, what)
    }
    const update = (set: object) => async () => right(await here.team.update(member, id, set)())
    t.is(await roleAt(there, token), ADMIN.id)
    await after('a lower role', update({ roleId: MANAGER.id }), MANAGER.id)
    await after('a pause', update({ status: 0 }), 'organization.none')
    await after('the end of a pause', update({ status: 1 }), MANAGER.id)
    await after('a higher role', update({ roleId: ADMIN.id }), ADMIN.id)

    const actor = { ...member, ...(await callerAt(here)) }
    const { key, id: keyId } = right(
      await here.apiKeys.create(actor, { name: 'Loja', permissions: ['charges:read'] })(),
    )
    await after('the role of the maker of a key', update({ roleId: 3 }), 3, key)
    await after('a revoked key', async () => right(await here.apiKeys.revoke(member, keyId)()), 'api-key.revoked', key)

    const refreshed = async () => {
      const claims = right(await here.sessions.readRefreshToken(token)())
      return right(await here.sessions.refresh(claims)()).accessToken
    }
    let next = ''
    await after('a replaced token', async () => (next = await refreshed()), 'token.invalid')
    token = next
    t.is(await roleAt(there, token), 3)
    await after('a sign-out', async () => right(await here.sessions.logOut(await callerAt(here))()), 'token.invalid')
    token = await logIn(here, bia.email)
    const end = async () => right(await here.sessions.end(await callerAt(here), (await callerAt(here)).sessionId)())
    await after('a session that its user ends', end, 'token.invalid')
    token = await logIn(here, bia.email)
    await after('a new password', update({ password: `${PASSWORD}2` }), 'token.invalid')
    token = await logIn(here, bia.email, `${PASSWORD}2`)
    await after('a removed user', async () => right(await here.team.remove(member, id)()), 'token.invalid')
  }
}

const claimsOf = (uid: string) => ({ uid, email: `${uid}@example.com`, emailVerified: true, name: uid })

/**
 * Asserts that a broker who is barred in one process has no access in the other from the next request on, and again
 * has.
 */
export const assertBrokerBarred = async (t: ExecutionContext, [store, other]: TwoStores): Promise<void> => {
  const { agency: first } = openAgency({ store })
  const second = realEstate({ ...first.ports, store: other })
  for (const [here, there, name] of [
    [first, second, '1'],
    [second, first, '2'],
  ] as const) {
    const [anas, bobs] = [claimsOf(`ana-${name}`), claimsOf(`bob-${name}`)]
    const companyId = `00000000-0000-4000-8000-00000000000${name}`
    const user = ({ uid, email, name }: typeof anas) => ({ firebaseUid: uid, email, name, companyId })
    right(await here.access.register(anas, { ...user(anas), role: 'Admin' })())
    right(await here.access.register(anas, { ...user(bobs), role: 'Broker' })())
    const ana = right(await here.access.resolveActor(anas)())
    const record = { name: 'Bob', creci: `CRECI ${name}`, email: bobs.email }
    const { id } = right(await here.brokers.create(ana, { ...record, status: 'Active' })())
    for (const [status, expected] of [
      ['Inactive', 'broker.barred'],
      ['Active', null],
    ] as const) {
      for (const each of [here, there]) await each.access.resolveActor(bobs)()
      right(await here.brokers.replace(ana, id, { ...record, status })())
      t.is(codeOf(await there.access.resolveActor(bobs)()), expected)
    }
    right(await here.brokers.remove(ana, id)())
    t.is(codeOf(await there.access.resolveActor(bobs)()), 'broker.barred')
  }
}

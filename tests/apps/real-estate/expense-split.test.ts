// Also runs on MongoDB.

import test from 'ava'
import { type Contract, contracts } from '../../../core/real-estate/records/contract.ts'
import { payments } from '../../../core/real-estate/records/payment.ts'
import type { Property } from '../../../core/real-estate/records/property.ts'
import { storedIn } from '../../core/real-estate/records.ts'
import { aCondominium, openAgency } from './given/basics.ts'
import type { Answer, EstateTestApi, Person } from './test-api.ts'

const WATER = { description: 'Água de novembro', totalValue: 100, period: '2026-12', dueDate: '2026-12-10' }

const split = (api: EstateTestApi, { token }: Person, id: string, body: object = {}, headers = {}): Promise<Answer> =>
  api.ask('POST', `/api/condominiums/${id}/expense-split`, { token, body: { ...WATER, ...body }, headers })

/** Stores the units of a condominium by code, each with its lease, if any. */
const unitsOf = async (api: EstateTestApi, admin: Person, condominiumId: string) => {
  const { propertyOf, contractOf, clientOf } = storedIn(api, admin)
  return async (over: Partial<Property> & { readonly code: string }, lease: Partial<Contract> | null = {}) => {
    const unit = await propertyOf({ condominiumId, ...over })
    const client = await clientOf({ name: `Inquilino ${over.code}` })
    if (lease) return contractOf({ propertyId: unit.id, clientId: client.id, propertyCode: unit.code, ...lease })
    return null
  }
}

test('an expense creates one Condo payment per leased unit, in equal shares by code, and names the other units', async (t) => {
  const { api, admin } = await openAgency(t)
  const { id } = await aCondominium(api, admin)
  const unit = await unitsOf(api, admin, id)
  const leases = { b: await unit({ code: 'b-1' }), a: await unit({ code: 'A-2' }), c: await unit({ code: 'c' }) }
  await unit({ code: 'São, 1' }, null)
  await unit({ code: 'Z-9' }, { status: 'Terminated' })
  await unit({ code: 'D-1' }, { type: 'Management' })
  const made = await split(api, admin, id)
  t.is(made.status, 201, made.text)
  t.is(made.headers.get('X-Skipped-Units'), 'D-1,S%C3%A3o%2C%201,Z-9')
  t.true(Array.isArray(made.body))
  t.deepEqual(
    made.body.map(({ value, contract: of }: Answer['body']) => [value, of.property.code, of.client.name, of.id]),
    [
      [33.34, 'A-2', 'Inquilino A-2', leases.a?.id],
      [33.33, 'b-1', 'Inquilino b-1', leases.b?.id],
      [33.33, 'c', 'Inquilino c', leases.c?.id],
    ],
  )
  t.like(made.body[0], {
    ...{ type: 'Condo', period: '2026-12', dueDate: '2026-12-10', status: 'Pending', notes: 'Água de novembro' },
    ...{ method: null, paidAt: null, paidValue: null, receiptUrl: null, boletoUrl: null, contractId: leases.a?.id },
  })
  const stored = await api.every(payments)
  t.is((await api.every(contracts)).filter(({ paymentCount }) => paymentCount === 1).length, 3)
  t.true(stored.every(({ clientId, propertyId, search }) => clientId && propertyId && search.includes('inquilino')))
})

test('a repeat under one idempotency key splits nothing and also names the skipped units', async (t) => {
  const { api, admin } = await openAgency(t)
  const { id } = await aCondominium(api, admin)
  await (await unitsOf(api, admin, id))({ code: 'A' })
  await (await unitsOf(api, admin, id))({ code: 'Q 1' }, null)
  const key = { 'Idempotency-Key': 'agua-novembro' }
  const [first, again] = [await split(api, admin, id, {}, key), await split(api, admin, id, {}, key)]
  t.deepEqual(again.body, first.body)
  t.is(again.headers.get('Idempotent-Replayed'), 'true')
  t.is(again.headers.get('X-Skipped-Units'), 'Q%201')
  t.is((await api.every(payments)).length, 1)
})

import { anyDocument } from '../../../core/payments/world.ts'
import { worked } from '../../rows/wire.ts'
import type { TestApi } from '../test-api.ts'
import { type Fixture, organization } from './basics.ts'
import { activate, MARIA } from './merchants.ts'

/** Test cards of the embedded acquirer. */
export const CARDS = {
  visa: '4111111111111111',
  mastercard: '5555555555554444',
  declined: '4000000000000002',
  pending: '4000000000000259',
} as const

export const CVV = '987'

export const cardBody = (number: string = CARDS.visa, over: Readonly<Record<string, unknown>> = {}) => ({
  ...MARIA,
  payment_method: 'CREDIT_CARD',
  due_date: '2030-11-30',
  address: {
    street: 'Rua das Flores',
    number: '100',
    district: 'Centro',
    city: 'São Paulo',
    state: 'SP',
    zipcode: '01310-100',
  },
  card: {
    card_number: number,
    brand: number.startsWith('4') ? 'visa' : 'mastercard',
    cvv: CVV,
    expiry_month: '12',
    expiry_year: '2030',
    cardholder_name: 'MARIA DA SILVA',
    document: '123.456.789-09',
  },
  ...over,
})

/** A card charge that the acquirer has not decided yet. */
const pendingCard = async (api: TestApi) => {
  const { token } = await organization(api)
  const body = cardBody(CARDS.pending, { document: anyDocument() })
  const { data } = worked(await api.ask('POST', '/invoices', { token, body }))
  return { token, params: { id: `${data.id}` }, body: { code: data.code as string } }
}

/** A paid card charge of an active organization, whose net amount can be withdrawn. */
const paidCard: Fixture = async (api) => {
  const { token, params: owner } = await organization(api)
  await activate(api, { token, id: Number(owner.id) })
  const body = cardBody(CARDS.visa, { document: anyDocument(), description: 'Mensalidade de novembro' })
  const { data } = worked(await api.ask('POST', '/invoices', { token, body }))
  return { token, params: { id: `${data.id}` } }
}

export const cardFixtures: Readonly<Record<string, Fixture>> = { pendingCard, paidCard }

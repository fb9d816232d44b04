import { CARDS, cardBody } from '../given/cards.ts'
import { setAccount, setPin } from '../given/merchants.ts'
import { MARIA, type Merchant, type TestApi, worked } from '../test-api.ts'

const NOTE = `Mensalidade ${'W'.repeat(120)}`

interface ChargeInState {
  /** Issues the charge and returns its code. */
  readonly made: (api: TestApi, owner: Merchant) => Promise<string>
  /** The time of the state, by default the time of the issue. */
  readonly at?: string
}

/** Returns the code of the only failed charge of a method. */
const failedBy = async (api: TestApi, { token }: Merchant, method: string): Promise<string> =>
  worked(await api.ask('GET', `/invoices?status_id=5&payment_method=${method}`, { token })).data[0].code

/** Pays a part of a boleto in an account that accepts this. */
const payPart = async (api: TestApi, owner: Merchant, txid: string): Promise<void> => {
  // Refused if an earlier charge of the owner has set it.
  await setPin(api, owner).catch(() => {})
  await setAccount(api, owner, { accept_partial: true })
  worked(await api.pay(txid, { value: 50 }))
}

/** A charge in each state of its page, by the word of the state and in the order of their times. */
export const CHARGE_STATES: Readonly<Record<string, ChargeInState>> = {
  'Aguardando pagamento': {
    made: async (api, owner) => {
      const more = { payment_method: 'BOLEPIX', amount_rate: 2, type_rate: 'PERCENTAGE', description: NOTE }
      return (await api.charge(owner, more)).code
    },
  },
  'Preparando o pagamento': {
    made: async (api, owner) => {
      await api.fail('create_pix', 'timeout')
      return (await api.charge(owner)).code
    },
  },
  'Pagamento recebido': {
    made: async (api, owner) => (await api.paid(owner)).code,
  },
  'Cobrança cancelada': {
    made: async (api, owner) => {
      const { code, pix } = await api.charge(owner)
      worked(await api.ask('POST', '/fake-bank/cancellations', { body: { txid: pix.txid } }))
      return code
    },
  },
  'Pagamento em análise': {
    made: async (api, { token }) => {
      const { data } = worked(await api.ask('POST', '/invoices', { token, body: cardBody(CARDS.pending) }))
      return data.code
    },
  },
  'Pagamento não aprovado': {
    made: async (api, owner) => {
      await api.ask('POST', '/invoices', { token: owner.token, body: cardBody(CARDS.declined) })
      return failedBy(api, owner, 'CREDIT_CARD')
    },
  },
  'Cobrança não emitida': {
    made: async (api, owner) => {
      await api.fail('create_pix', 'refuse')
      await api.ask('POST', '/invoices', { token: owner.token, body: MARIA })
      return failedBy(api, owner, 'PIX')
    },
  },
  'Aguardando pagamento, depois do vencimento': {
    made: async (api, owner) => (await api.charge(owner, { payment_method: 'BOLETO', due_date: '2026-11-24' })).code,
    at: '2026-11-27T12:00:00.000Z',
  },
  'Pago em parte': {
    made: async (api, owner) => {
      const { code, boleto } = await api.charge(owner, { payment_method: 'BOLETO' })
      await payPart(api, owner, boleto.txid)
      return code
    },
  },
  'Pago em parte, e o resto recusado': {
    made: async (api, owner) => {
      const { code, boleto } = await api.charge(owner, { payment_method: 'BOLETO' })
      // The rest of an earlier charge must not be the refused one.
      await api.drain()
      await api.fail('create_boleto', 'refuse')
      await payPart(api, owner, boleto.txid)
      await api.drain()
      return code
    },
  },
  'Cobrança expirada': { made: async (api, owner) => (await api.charge(owner)).code, at: '2026-12-01T03:00:00.000Z' },
}

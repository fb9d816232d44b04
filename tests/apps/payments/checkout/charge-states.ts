import { CARDS, cardBody } from '../../given/cards.ts'
import { type TestApi, worked } from '../test-api.ts'

const NOTE = `Mensalidade ${'W'.repeat(120)}`
/** A charge in each state that its page has a word for, by that word; gives its code. */
export const CHARGE_STATES: Readonly<Record<string, (api: TestApi) => Promise<string>>> = {
  async 'Aguardando pagamento'(api) {
    const more = { payment_method: 'BOLEPIX', amount_rate: 2, type_rate: 'PERCENTAGE', description: NOTE }
    return (await api.charge(await api.merchant(), more)).code
  },
  async 'Preparando o pagamento'(api) {
    const owner = await api.merchant()
    await api.fail('create_pix', 'timeout')
    return (await api.charge(owner)).code
  },
  async 'Pagamento recebido'(api) {
    const { code, pix } = await api.charge(await api.merchant())
    worked(await api.pay(pix.txid))
    return code
  },
  async 'Cobrança expirada'(api) {
    const { code } = await api.charge(await api.merchant())
    api.clock.set('2026-12-01T03:00:00.000Z')
    return code
  },
  async 'Cobrança cancelada'(api) {
    const { code, pix } = await api.charge(await api.merchant())
    worked(await api.ask('POST', '/fake-bank/cancellations', { body: { txid: pix.txid } }))
    return code
  },
  async 'Aguardando pagamento, depois do vencimento'(api) {
    const { code } = await api.charge(await api.merchant(), { payment_method: 'BOLETO', due_date: '2026-11-24' })
    api.clock.set('2026-11-27T12:00:00.000Z')
    return code
  },
  async 'Pagamento em análise'(api) {
    const { token } = await api.merchant()
    const { data } = worked(await api.ask('POST', '/invoices', { token, body: cardBody(CARDS.pending) }))
    return data.code
  },
  async 'Pagamento não aprovado'(api) {
    const { token } = await api.merchant()
    await api.ask('POST', '/invoices', { token, body: cardBody(CARDS.declined) })
    return worked(await api.ask('GET', '/invoices?status_id=5', { token })).data[0].code
  },
  async 'Cobrança não emitida'(api) {
    const { token } = await api.merchant()
    await api.fail('create_pix', 'refuse')
    const payer = { name: 'Maria', email: 'maria@example.com', document: '12345678909' }
    const body = { value: 10, payment_method: 'PIX', due_date: '2026-11-30', ...payer }
    await api.ask('POST', '/invoices', { token, body })
    return worked(await api.ask('GET', '/invoices?status_id=5', { token })).data[0].code
  },
}

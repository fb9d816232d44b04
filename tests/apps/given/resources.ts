import { anyDocument, anyEmail, type Fixture, made, organization } from './basics.ts'

const chargeGroup: Fixture = async (api) => {
  const { token } = await organization(api)
  const body = {
    name: 'Mensalidades',
    slug: 'mensalidades-2030',
    description: 'Turmas da manhã',
    json: '{"turma":"A"}',
  }
  const { data } = made(await api.ask('POST', '/invoices_groups', { token, body }))
  return { token, params: { id: `${data.id}` } }
}

const paymentPlan: Fixture = async (api) => {
  const { token } = await organization(api)
  const body = { description: 'Em doze vezes', interval: 1, interval_type: 'months', installments_count: 12 }
  const { data } = made(await api.ask('POST', '/payment-plans', { token, body }))
  return { token, params: { id: `${data.id}` } }
}

const legacyClient: Fixture = async (api) => {
  const { token } = await organization(api)
  const address = { street: 'Rua das Flores', number: '10', city: 'São Paulo', state: 'SP', zip: '01310-100' }
  const body = {
    name: 'Ana Souza',
    email: anyEmail(),
    phone: '11 98888-0000',
    document: anyDocument(),
    type: 'individual',
    gender: 'female',
    birthdate: '1990-02-28',
    address,
    metadata: [{ label: 'origem', value: 'loja' }],
    fb_id: '10158',
  }
  const { data } = made(await api.ask('POST', '/clients', { token, body }))
  return { token, params: { id: `${data.id}` } }
}

export const resources: Readonly<Record<string, Fixture>> = { chargeGroup, paymentPlan, legacyClient }

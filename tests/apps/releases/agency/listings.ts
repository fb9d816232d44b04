import { HOME } from '../../real-estate/given/basics.ts'
import type { Member } from './member.ts'
import { BROKER, type Cast } from './people.ts'

const { neighborhood: _, ...PLACE } = HOME

/** Clients, brokers, a condominium and properties in every state, some of them removed. */
export const listings = async (admin: Member, { users }: Cast) => {
  const add = async (path: string, body: object): Promise<string> => (await admin.post(path, body)).id
  const aClient = (name: string, email: string, over: object = {}) =>
    add('/api/clients', { name, email, type: 'Individual', interest: 'Lease', ...over })
  const ownerId = await aClient('Olga Dona', 'olga@dona.example', { taxId: '123.456.789-09', address: HOME })
  const tenantId = await aClient('Tito Inquilino', 'tito@inquilino.example', {
    taxId: '529.982.247-25',
    phone: '(11) 98888-0000',
  })
  const buyer = { type: 'Company', interest: 'Purchase', preferences: { desiredType: 'House', maxPrice: 900_000 } }
  const buyerId = await aClient('Compradora S.A.', 'compras@example.com', buyer)
  const clientId = await aClient('Caio Ramos', 'caio@example.com', { source: 'Portal', notes: 'Tem um cão.' })
  const removedClientId = await aClient('Não Volta', 'nao.volta@example.com')
  await admin.remove(`/api/clients/${removedClientId}`)

  const aBroker = (name: string, email: string, creci: string, status = 'Active') =>
    add('/api/brokers', { name, email, creci, status, phone: '(11) 97777-0000', address: HOME })
  const brokerId = await aBroker('Breno Dias', BROKER.email, 'CRECI-SP 1001')
  await aBroker('Iva Parada', 'iva@lar.example', 'CRECI-SP 1002', 'Inactive')
  await admin.remove(`/api/brokers/${await aBroker('Rui Saiu', 'rui@lar.example', 'CRECI-SP 1003')}`)

  const own = { name: 'Edifício Ipê', syndicId: users.Syndic, address: PLACE }
  const condominiumId = await add('/api/condominiums', { ...own, taxId: '11.222.333/0001-81' })
  await admin.remove(`/api/condominiums/${await add('/api/condominiums', { ...own, taxId: '11.444.777/0001-61' })}`)

  const aProperty = (code: string, over: object = {}) =>
    add('/api/properties', {
      ...{ code, type: 'Apartment', purpose: 'Both', rentPrice: 2_500, salePrice: 500_000 },
      ...{ address: PLACE, ownerId, brokerId },
      ...over,
    })
  const unit = {
    condominiumId,
    idealFraction: 0.5,
    bedrooms: 2,
    privateArea: 60.5,
    images: ['https://f.example/1.jpg'],
  }
  const [letId, offeredId] = [await aProperty('IPE-11', unit), await aProperty('IPE-12', unit)]
  const soldId = await aProperty('CASA-1', { type: 'House', purpose: 'Sale', rentPrice: null })
  const reservedId = await aProperty('SALA-1', { type: 'CommercialRoom', purpose: 'Lease', salePrice: null })
  await admin.patch(`/api/properties/${reservedId}/status`, { status: 'Reserved', reason: 'Sinal recebido.' })
  const visitedId = await aProperty('IPE-13')
  await admin.remove(`/api/properties/${await aProperty('LOTE-1', { type: 'Land', purpose: 'Sale' })}`)
  return {
    ...{ ownerId, tenantId, buyerId, clientId, removedClientId, brokerId, condominiumId },
    ...{ letId, offeredId, soldId, reservedId, visitedId },
  }
}

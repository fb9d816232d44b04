import { brokerView } from '../../core/real-estate/brokers.ts'
import { broker } from '../../core/real-estate/records/people.ts'
import { AGENCY_CRUD, crud } from './api.ts'
import { exampleId, SENT_ADDRESS } from './examples.ts'

export const brokerRows = crud({
  ...AGENCY_CRUD,
  module: 'brokers',
  resource: broker,
  view: brokerView,
  area: 'Corretores',
  paths: ['/api/brokers'],
  permissions: { read: 'brokers:read', write: 'brokers:write', remove: 'brokers:remove' },
  noun: { one: 'corretor', many: 'corretores', gender: 'm' },
  words: {
    list: { summary: 'Lista os corretores, do mais novo ao mais antigo, com seus resultados' },
    show: { summary: 'Mostra um corretor, com seus resultados' },
    update: { summary: 'Substitui o que se sabe de um corretor, também a situação' },
    remove: { summary: 'Exclui um corretor sem contratos ativos nem propostas em aberto' },
  },
  example: {
    sample: {
      name: 'Bruno Lima',
      creci: 'CRECI-SP 123456',
      email: 'bruno@aurora.example',
      phone: '(11) 97777-0000',
      status: 'Active',
      address: SENT_ADDRESS,
      notes: 'Atende a zona sul.',
    },
    change: { notes: 'Atende a zona norte.' },
    more: { id: exampleId(30), totalSales: 0, totalLeases: 0, conversionRate: 0 },
  },
})

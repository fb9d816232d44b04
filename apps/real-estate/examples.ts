/** Ids and moments as examples show them. */
export const exampleId = (last: number): string => `3f2b8c1e-5d0a-4f6b-8a3c-${`${last}`.padStart(12, '0')}`

export const EXAMPLE_COMPANY = exampleId(1)
export const EXAMPLE_USER = exampleId(2)
export const EXAMPLE_MOMENT = '2030-11-21T13:05:09.123Z'

/** An address as it is sent, and as it is shown. */
export const SENT_ADDRESS = {
  street: 'Rua das Flores',
  number: '100',
  complement: null,
  neighborhood: 'Centro',
  city: 'São Paulo',
  state: 'SP',
  zipCode: '01310-100',
}
export const EXAMPLE_ADDRESS = { ...SENT_ADDRESS, zipCode: '01310100' }

/** A page of one record. */
export const examplePage = <R>(record: R) => ({
  data: [record],
  page: 1,
  pageSize: 20,
  total: 1,
  totalPages: 1,
  hasNext: false,
  hasPrevious: false,
})

const agreed = {
  value: 2500,
  startDate: '2030-12-01',
  endDate: '2033-05-31',
  dueDay: 10,
  indexer: 'IGPM',
  indexerPercentage: null,
  documentUrl: 'https://docs.example.com/contrato.pdf',
  finePercentage: 10,
  interestPercentage: 1,
  discountValue: 50,
  administrationPercentage: 8.5,
  terminationFine: 7500,
  allowNegativeAdjustment: false,
}

const sent = {
  type: 'Lease',
  propertyId: exampleId(30),
  clientId: exampleId(10),
  brokerId: exampleId(20),
  proposalId: null,
  ...agreed,
}

const shown = {
  id: exampleId(40),
  type: 'Lease',
  status: 'Active',
  endedOn: null,
  ...agreed,
  property: { id: exampleId(30), code: 'AP-101', address: EXAMPLE_ADDRESS },
  client: { id: exampleId(10), name: 'Maria da Silva' },
  broker: { id: exampleId(20), name: 'Bruno Lima' },
  proposalId: null,
  periods: [],
  createdAt: EXAMPLE_MOMENT,
  updatedAt: EXAMPLE_MOMENT,
}

/** A contract as it is asked for, and as it is shown in a list. */
export const contractExample = { agreed, sent, shown }

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

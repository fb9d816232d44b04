/** A user as `memberView` shows it to legacy routes, for the documentation. */
export const memberExample = {
  id: 1,
  name: 'Maria da Silva',
  email: 'maria@example.com',
  phone: '+55 11 99999-0000',
  document: null,
  status: 'ACTIVE',
}

import type { AccountCall } from '../api.ts'

/** What the rows of an account's charges have in common. */
export const ownCharges = { area: 'Cobranças', dialect: 'envelope', auth: 'account' } as const

/** The same of one charge, which its path names by its id or code. */
export const ownCharge = {
  ...ownCharges,
  parameters: { id: 'Id ou código da cobrança' },
  record: ({ core, actor, request }: AccountCall) => core.charges.read(actor, request.params.id ?? ''),
} as const

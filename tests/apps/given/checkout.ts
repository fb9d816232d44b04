import { type Fixture, issued } from './basics.ts'

/** A charge, by the code that its payer has. */
const payableCharge: Fixture = async (api) => {
  const { query } = await issued(api)
  return { params: { code: query.code } }
}

export const checkoutFixtures: Readonly<Record<string, Fixture>> = { payableCharge }

import { t } from '../../../core/fp.ts'
import { out } from '../../../core/kernel/input/outputs.ts'
import { ACCOUNT_TYPES } from '../../../core/payments/registrations/registration-view.ts'

const statusFields = {
  document: t.string,
  id: out.id,
  email: t.string,
  name: t.string,
  account_type: out.oneOf(ACCOUNT_TYPES),
  account_status: out.oneOf(['PENDING_EMAIL', 'PENDING_DOCUMENTS', 'UNDER_REVIEW', 'APPROVED', 'REJECTED']),
}

/** A registration as `registrationStatusView` shows it. */
export const registrationStatusShape = t.type(statusFields)

/** A registration as `registrationView` shows it. */
export const registrationShape = t.type({
  ...statusFields,
  address: out.nullable(t.string),
  created_at: out.instant,
})

export const registrationStatusExample = {
  document: '52998224725',
  id: 1,
  email: 'maria@example.com',
  name: 'Maria da Silva',
  account_type: 'PF',
  account_status: 'PENDING_EMAIL',
}

export const registrationExample = {
  ...registrationStatusExample,
  address: 'Rua das Flores, 100, São Paulo, SP',
  created_at: '2030-11-21T10:05:09-03:00',
}

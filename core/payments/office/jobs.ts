import { jobsIn, processesIn } from '../../office/work/jobs.ts'

export const jobs = jobsIn('payments')
export const processes = processesIn('payments')

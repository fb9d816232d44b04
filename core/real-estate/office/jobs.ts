import { jobsIn } from '../../office/work/jobs.ts'

export const jobs = jobsIn('estate')

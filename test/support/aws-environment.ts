/** Nothing of AWS is found on the machine of the test: no file, no instance. */
const NOTHING = {
  AWS_CONFIG_FILE: '/nonexistent',
  AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
  AWS_EC2_METADATA_DISABLED: 'true',
} as const;

/** Replaces what the AWS SDK reads of the environment. */
export function setAwsEnvironment(variables: Readonly<Record<string, string>> = {}): void {
  forgetAws();
  Object.assign(process.env, NOTHING, variables);
}

/** Around each test of the suite: an environment without AWS, and afterwards the one of before. */
export function isolateAwsEnvironment(): void {
  let before: NodeJS.ProcessEnv;
  beforeEach(() => {
    before = { ...process.env };
    setAwsEnvironment();
  });
  afterEach(() => {
    forgetAws();
    Object.assign(process.env, before);
  });
}

function forgetAws(): void {
  for (const name of Object.keys(process.env).filter((each) => each.startsWith('AWS_')))
    Reflect.deleteProperty(process.env, name);
}

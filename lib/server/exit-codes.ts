/**
 * The exit code of a start that a wrong setting stopped: trying again would not help, so a service
 * manager should not (EX_CONFIG of sysexits.h).
 */
export const wrongSetting = 78;

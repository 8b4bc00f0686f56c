import { DeviceEnd } from '../end.tsx';

export default function DeviceDeniedPage() {
  return <DeviceEnd how="denied" />;
}

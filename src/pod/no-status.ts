/** Why a container is said to wait of which the kubelet says nothing, such as one of an evicted pod. */
export const noStatus = 'no status';
